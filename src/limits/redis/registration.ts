import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { type Redis, RedisAway } from '../../redis/redis.ts'
import type { LedgerRecords } from '../../store/ledger-contract.ts'
import type { ClusterNodes } from './cluster-nodes.ts'
import { limitKeys, limitsChannel } from './limit-keys.ts'
import { entityIds, type LiveRequest, packRequest } from './live-request.ts'
import type { MissedCounts } from './missed-counts.ts'
import type { RedisTime } from './redis-time.ts'
import { windowsFromLedger } from './restore-windows.ts'
import { registerScript } from './scripts/register-script.ts'
import { restoreScript } from './scripts/restore-script.ts'

export type RegistrationDependencies = {
  redis: Redis
  /** The id of this node; it changes once its lease has ended. */
  nodeId(): string
  nodes: ClusterNodes
  ledger: Pick<LedgerRecords, 'since'>
  clock: Clock
  log: Log
}

type Parts = {
  live: ReadonlyMap<string, LiveRequest>
  missed: MissedCounts
  time: RedisTime
  /** Other nodes have to register again. */
  onRestored(today: number): void
}

/**
 * Whether Redis has the requests of this node, under the node's epoch.
 *
 *     unregistered ─→ preparing ─→ sent ─→ registered
 *       ↑    ↑           ↑  └──────┘ │          │
 *       │    │           └── lost ───┘          │
 *       │    └──────── failed ───────┘          │
 *       └──── distrusted, or Redis is away ─────┘
 */
type State =
  /** Redis may not have them. The next decision, check or connection registers them; changes until then are missed. */
  | { type: 'unregistered' }
  /** They are about to be sent, perhaps once the windows are restored. Changes until then are missed. */
  | { type: 'preparing'; done: Promise<void> }
  /** Sent, and not answered. Commands that follow go over the same connection, so Redis sees them after this. */
  | { type: 'sent'; done: Promise<void> }
  /** As far as it is known here. */
  | { type: 'registered' }

/** How long limits wait at most for nodes to register again, or for another to do it in their place: see `awaited-nodes.ts`. */
const collectMs = 15_000
const maxRestores = 5
/** Requests that are younger may not be in the ledger yet. */
const unwrittenMs = 10_000

/** This node's registration in Redis, which is repeated when Redis was away or has lost its data. */
export class Registration {
  readonly #dependencies: RegistrationDependencies
  readonly #parts: Parts
  #state: State = { type: 'unregistered' }
  /** The epoch of the last registration. Commands of earlier ones have no effect. */
  #epoch = ''
  #beforeRegistering = (): void => {}

  constructor(dependencies: RegistrationDependencies, parts: Parts) {
    this.#dependencies = dependencies
    this.#parts = parts
  }

  get epoch(): string {
    return this.#epoch
  }

  /** Whether commands may be sent under the epoch. */
  get isUsable(): boolean {
    return this.#state.type === 'registered' || this.#state.type === 'sent'
  }

  /** Changes made in the callback count as missed, and are included in the registration. */
  beforeRegistering(callback: () => void): void {
    this.#beforeRegistering = callback
  }

  /** A command of this epoch has failed, or Redis does not know it: nothing is sent before the next registration. */
  distrust(epoch: string): void {
    if (epoch !== this.#epoch || !this.isUsable) return
    const { done } = this.#registering() ?? {}
    this.#state = done === undefined ? { type: 'unregistered' } : { type: 'preparing', done }
  }

  /** Concurrent callers share one registration. */
  register(today: number, hasLostData: boolean): Promise<void> {
    const registering = this.#registering()
    if (registering !== null) return registering.done
    const { promise: done, resolve, reject } = Promise.withResolvers<void>()
    this.#state = { type: 'preparing', done }
    this.#registerUntilKnown(today, hasLostData, done).then(
      () => {
        // If a command failed meanwhile, it is distrusted already.
        this.#state = this.#state.type === 'sent' ? { type: 'registered' } : { type: 'unregistered' }
        resolve()
      },
      (error: unknown) => {
        this.#state = { type: 'unregistered' }
        reject(error)
      },
    )
    return done
  }

  #registering(): Extract<State, { done: Promise<void> }> | null {
    return this.#state.type === 'preparing' || this.#state.type === 'sent' ? this.#state : null
  }

  async #registerUntilKnown(today: number, hasLostData: boolean, done: Promise<void>): Promise<void> {
    if (hasLostData) this.#noteUnwritten()
    for (let attempt = 0; !(await this.#registerOnce(today, done)); attempt += 1) {
      if (attempt === maxRestores) throw new RedisAway('Redis loses its data again and again')
      if (!hasLostData && attempt === 0) this.#noteUnwritten()
      await this.#restore(today)
    }
  }

  /** False: Redis has lost its data. */
  async #registerOnce(today: number, done: Promise<void>): Promise<boolean> {
    const { redis, nodeId } = this.#dependencies
    const { live, missed, time } = this.#parts
    this.#beforeRegistering()
    this.#epoch = randomBytes(8).toString('hex')
    this.#state = { type: 'sent', done }
    const { args, putBack } = missed.take(time.nowMs(), today)
    const requests = [...live].flatMap(([id, request]) => {
      const packed = packRequest(request)
      return packed === null ? [] : [id, packed]
    })
    try {
      const all = [time.argument(), nodeId(), this.#epoch, requests.length / 2, ...requests, ...args]
      const reply = await redis.run(registerScript, [limitKeys], all)
      if (reply !== 'lost') return true
    } catch (error) {
      putBack()
      throw error
    }
    putBack()
    this.#state = { type: 'preparing', done }
    return false
  }

  /** Counts the requests that Redis has lost and the ledger may not have yet. */
  #noteUnwritten(): void {
    const { live, missed, time } = this.#parts
    const nowMs = time.nowMs()
    for (const request of live.values()) {
      const isYoung = nowMs - request.beganAtMs < unwrittenMs
      if (request.state === 'running' && isYoung) missed.add(entityIds(request), 'requests', 1, nowMs)
      if (request.state === 'ended') missed.add(entityIds(request), 'settled', request.tokens, nowMs)
    }
  }

  async #restore(today: number): Promise<void> {
    const { redis, nodeId, nodes, ledger, clock, log } = this.#dependencies
    const { time, onRestored } = this.#parts
    const living = (await nodes.list()).map(({ id }) => id)
    const awaited = [...new Set([nodeId(), ...living, ...(await nodes.ended())])]
    const windows = await windowsFromLedger(ledger, { nowMs: time.nowMs(), now: clock.now() })
    const all = [time.argument(), nodeId(), '', awaited.join(' '), collectMs, ...windows.map(String)]
    const reply = await redis.run(restoreScript, [limitKeys], all)
    if (reply !== 'ok') return
    log.warn('limits_restored', { nodes: awaited.length })
    await redis.publish(limitsChannel, nodeId())
    onRestored(today)
  }
}

import type { Clock } from '../../base/clock.ts'
import { errorText, type Log } from '../../base/log.ts'
import { type Redis, RedisAway } from '../../redis/redis.ts'
import { AwaitedNodes } from './awaited-nodes.ts'
import { limitKeys, limitsChannel } from './limit-keys.ts'
import { limitsUnavailable } from './limits-unavailable.ts'
import { entityIds, type LiveRequest } from './live-request.ts'
import { createMissedCounts, type MissedCounts } from './missed-counts.ts'
import { readAnswer, type ScriptAnswer } from './read-answer.ts'
import { RedisTime } from './redis-time.ts'
import { Registration, type RegistrationDependencies } from './registration.ts'
import { changeArguments } from './scripts/arguments.ts'
import { changeScript } from './scripts/change-script.ts'
import { decideScript } from './scripts/decide-script.ts'
import { releaseNodeScript } from './scripts/release-node-script.ts'

export type LimitsConnectionDependencies = RegistrationDependencies & {
  /** The clock of the windows: that of Redis or, in tests, the injected one. */
  timeSource: 'redis' | 'clock'
}

/** What happened to a request after its decision. */
export type Change = {
  what: 'leave' | 'start' | 'stop' | 'settle' | 'written' | 'finish'
  id: string
  request: LiveRequest
}

type Arguments = readonly (string | number)[]

/** How long a decision waits for nodes to register again, and how often it looks. */
const maxWaitMs = 2_000
const lookMs = 50
const maxAttempts = 100
const releasedAtOnce = 200

/**
 * This node's part of the limits in Redis. It knows which requests of the node run, so that they can be registered again when
 * Redis was away or has lost its data: see `registration.ts`.
 */
export class LimitsConnection {
  readonly live = new Map<string, LiveRequest>()
  readonly #redis: Redis
  readonly #nodeId: () => string
  readonly #clock: Clock
  readonly #log: Log
  readonly #time: RedisTime
  readonly #missed: MissedCounts = createMissedCounts()
  readonly #registration: Registration
  readonly #awaited: AwaitedNodes
  readonly #unsubscribe: () => void
  readonly #forgetReturn: () => void
  #lastDay = 0
  #isClosed = false

  constructor({ timeSource, ...dependencies }: LimitsConnectionDependencies) {
    const { redis, nodes, nodeId, clock, log } = dependencies
    this.#redis = redis
    this.#nodeId = nodeId
    this.#clock = clock
    this.#log = log
    this.#time = new RedisTime(clock, timeSource)
    this.#awaited = new AwaitedNodes({ redis, nodes, nodeId, time: this.#time, clock, log })
    const onRestored = (today: number): void => this.#awaited.watch(today)
    const parts = { live: this.live, missed: this.#missed, time: this.#time, onRestored }
    this.#registration = new Registration(dependencies, parts)
    this.#unsubscribe = redis.subscribe(limitsChannel, (from) => {
      if (from !== nodeId()) this.#registerLater()
    })
    this.#forgetReturn = redis.onReturned(() => void this.register(this.#lastDay, false).catch(() => {}))
  }

  nowMs(): number {
    return this.#time.nowMs()
  }

  /** Whether Redis answers and knows the requests of this node, as far as it is known here. */
  isReady(): boolean {
    return this.#registration.isUsable && !this.#redis.isAway
  }

  /**
   * Calls `act` with the answer, before anything else can be registered. Throws `RedisAway`, or the error for callers if the
   * nodes have not registered again yet after Redis has lost its data.
   */
  async decide<Result>(args: Arguments, today: number, act: (answer: ScriptAnswer) => Result): Promise<Result> {
    const registration = this.#registration
    this.#lastDay = today
    const startedAtMs = this.#clock.monotonicMs()
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      if (!registration.isUsable) await this.register(today, false)
      const sentIn = registration.epoch
      const answer = readAnswer(await this.#ask(args, sentIn))
      this.#time.learn(answer.nowMs)
      if (answer.status === 'wait') {
        this.#awaited.watch(today)
        if (this.#clock.monotonicMs() - startedAtMs > maxWaitMs) break
        await new Promise<void>((resolve) => void this.#clock.after(lookMs, resolve))
      } else if (answer.status === 'lost' || answer.status === 'resync') {
        registration.distrust(sentIn)
        if (!registration.isUsable) await this.register(today, true)
        // If the node registered again in the meantime, the change that the answer reports is lost.
      } else if (sentIn === registration.epoch) return act(answer)
    }
    throw limitsUnavailable()
  }

  /** Counts it now, or when Redis returns. */
  change(changes: readonly Change[]): void {
    const args = changes.flatMap(({ what, id, request: { tokens, micros, day } }) =>
      changeArguments.pack({ what, id, tokens, micros, day }),
    )
    this.#send(args, () => {
      for (const change of changes) this.#noteMissed(change)
    })
  }

  countRefused(ids: readonly string[], count: number): void {
    const refused = changeArguments.pack({ what: 'refuse', id: ids.join(' '), tokens: count, micros: 0, day: 0 })
    this.#send(refused, () => this.#missed.add(ids, 'refused', count, this.nowMs()))
  }

  /** Counts a request that was admitted without Redis. */
  noteRequest(request: LiveRequest): void {
    this.#missed.add(entityIds(request), 'requests', 1, this.nowMs())
  }

  /**
   * Releases the reservations of a node whose requests the ledger has settled. May be called more than once, and for
   * unknown nodes.
   */
  async releaseNode(id: string, today: number): Promise<void> {
    const args = (): Arguments => [this.#time.argument(), id, '', today, releasedAtOnce]
    for (let left = 1; left > 0; ) left = Number(await this.#redis.run(releaseNodeScript, [limitKeys], args()))
  }

  register(today: number, hasLostData: boolean): Promise<void> {
    return this.#registration.register(today, hasLostData)
  }

  beforeRegistering(callback: () => void): void {
    this.#registration.beforeRegistering(callback)
  }

  /** For a node without requests: checks whether Redis still knows it. */
  check(): void {
    if (this.#registration.isUsable) this.#send([], () => {})
    else if (!this.#redis.isAway) this.register(this.#lastDay, false).catch(() => {})
  }

  close(): void {
    this.#isClosed = true
    this.#awaited.close()
    this.#unsubscribe()
    this.#forgetReturn()
  }

  async #ask(args: Arguments, epoch: string): Promise<unknown> {
    try {
      return await this.#redis.run(decideScript, [limitKeys], [this.#time.argument(), this.#nodeId(), epoch, ...args])
    } catch (error) {
      this.#registration.distrust(epoch)
      throw error
    }
  }

  #send(args: Arguments, onMissed: () => void): void {
    if (this.#isClosed) return
    const { epoch, isUsable } = this.#registration
    if (!isUsable || this.#redis.isAway) {
      this.#registration.distrust(epoch)
      onMissed()
      return
    }
    this.#redis.run(changeScript, [limitKeys], [this.#time.argument(), this.#nodeId(), epoch, ...args]).then(
      (reply) => {
        if (reply === 'ok') return
        onMissed()
        if (epoch === this.#registration.epoch) this.#registerLater()
      },
      (error: unknown) => {
        onMissed()
        this.#registration.distrust(epoch)
        if (!(error instanceof RedisAway)) this.#log.error('limits_not_counted', { error: errorText(error) })
      },
    )
  }

  #registerLater(): void {
    this.#registration.distrust(this.#registration.epoch)
    // If it is away, the next decision or check registers.
    this.register(this.#lastDay, true).catch(() => {})
  }

  #noteMissed({ what, request }: Change): void {
    const [ids, nowMs] = [entityIds(request), this.nowMs()]
    if (what === 'start') this.#missed.add(ids, 'requests', 1, nowMs)
    if (what === 'settle' || what === 'finish') this.#missed.add(ids, 'settled', request.tokens, nowMs)
    if (what === 'written' || what === 'finish') this.#missed.addWritten(ids, { requests: 1, ...request })
  }
}

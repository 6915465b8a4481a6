import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { errorText, type Log } from '../../base/log.ts'
import { type Redis, RedisAway } from '../../redis/redis.ts'
import type { LedgerRecords } from '../../store/ledger-contract.ts'
import { exactMs } from '../limiter-state.ts'
import { limitsUnavailable } from './limits-unavailable.ts'
import { idsOf, type LiveRequest, packRequest } from './live-request.ts'
import { createMissedCounts } from './missed-counts.ts'
import { type Answer, readAnswer } from './read-answer.ts'
import { windowsFromLedger } from './restore-windows.ts'
import { changeArguments } from './scripts/arguments.ts'
import { changeScript } from './scripts/change-script.ts'
import { decideScript } from './scripts/decide-script.ts'
import { registerScript } from './scripts/register-script.ts'
import { releaseNodeScript } from './scripts/release-node-script.ts'
import { restoreScript } from './scripts/restore-script.ts'

export type LimitsConnectionDependencies = {
  redis: Redis
  /** Which node this is; another one once its lease has ended. */
  nodeId(): string
  /** How many nodes live now. */
  nodeCount(): number
  ledger: Pick<LedgerRecords, 'since'>
  clock: Clock
  log: Log
  /** Whose time the windows have: that of Redis, or in tests that of the clock. */
  timeOf: 'redis' | 'clock'
}

/** What happened to a request after it was decided about. */
export type Change = {
  what: 'leave' | 'start' | 'stop' | 'settle' | 'written' | 'finish'
  id: string
  request: LiveRequest
}

/** All keys of the limits: one hash tag, so one node of a Redis cluster. */
export const limitKeys = '{limits}:'
const channel = 'limits'
/** How long a decision waits for nodes to register again, and how often it looks. */
const maxWaitMs = 2_000
const lookMs = 50
/** How long nodes have to register again after Redis has lost its data. */
const collectMs = 15_000
const maxAttempts = 100
const maxRestores = 5
/** Requests that are younger may not be in the ledger yet. */
const unwrittenMs = 10_000
const releasedAtOnce = 200

export type LimitsConnection = ReturnType<typeof createLimitsConnection>

/**
 * This node's part of the limits in Redis. It knows which requests of the node run, so that they can be registered again when
 * Redis was away or has lost its data.
 */
export const createLimitsConnection = (dependencies: LimitsConnectionDependencies) => {
  const { redis, nodeId, nodeCount, ledger, clock, log, timeOf } = dependencies
  const live = new Map<string, LiveRequest>()
  const missed = createMissedCounts()
  let epoch = ''
  let isRegistered = false
  let registering: Promise<void> | null = null
  let lastDay = 0
  let isClosed = false
  let onRegister = (): void => {}
  /** From the monotonic clock to the time of Redis. */
  let offsetMs = clock.now() - clock.monotonicMs()

  const nowMs = (): number =>
    timeOf === 'clock' ? exactMs(clock.monotonicMs()) : exactMs(clock.monotonicMs() + offsetMs)
  const time = (): number | '' => (timeOf === 'clock' ? nowMs() : '')
  const learnTime = (redisMs: number): void => {
    offsetMs = redisMs - clock.monotonicMs()
  }

  const restore = async (): Promise<void> => {
    const now = { nowMs: nowMs(), now: clock.now() }
    const windows = await windowsFromLedger(ledger, now)
    const awaited = nodeCount()
    const reply = await redis.run(
      restoreScript,
      [limitKeys],
      [time(), nodeId(), '', awaited, collectMs, ...windows.map(String)],
    )
    if (reply === 'ok') {
      log.warn('limits_restored', { nodes: awaited })
      await redis.publish(channel, nodeId())
    }
  }

  /** What Redis has lost and the ledger may not have yet. */
  const noteUnwritten = (): void => {
    for (const request of live.values()) {
      const isYoung = nowMs() - request.beganAtMs < unwrittenMs
      if (request.state === 'running' && isYoung) missed.add(idsOf(request), 'requests', 1, nowMs())
      if (request.state === 'ended') missed.add(idsOf(request), 'settled', request.tokens, nowMs())
    }
  }

  const registerOnce = async (today: number): Promise<boolean> => {
    isRegistered = false
    onRegister()
    epoch = randomBytes(8).toString('hex')
    isRegistered = true
    const { args, putBack } = missed.take(nowMs(), today)
    const requests = [...live].flatMap(([id, request]) => {
      const packed = packRequest(request)
      return packed === null ? [] : [id, packed]
    })
    try {
      const all = [time(), nodeId(), epoch, requests.length / 2, ...requests, ...args]
      const reply = await redis.run(registerScript, [limitKeys], all)
      if (reply !== 'lost') return true
      putBack()
      isRegistered = false
      return false
    } catch (error) {
      putBack()
      isRegistered = false
      throw error
    }
  }

  /** Commands that follow go over the same connection, so Redis sees them after this. */
  const register = (today: number, hasLostData: boolean): Promise<void> => {
    registering ??= (async () => {
      if (hasLostData) noteUnwritten()
      for (let attempt = 0; !(await registerOnce(today)); attempt += 1) {
        if (attempt === maxRestores) throw new RedisAway('Redis loses its data again and again')
        if (!hasLostData && attempt === 0) noteUnwritten()
        await restore()
      }
    })().finally(() => {
      registering = null
    })
    return registering
  }

  const registerLater = (): void => {
    isRegistered = false
    // If it is away, the next decision or check registers.
    register(lastDay, true).catch(() => {})
  }

  const note = ({ what, request }: Change): void => {
    if (what === 'start') missed.add(idsOf(request), 'requests', 1, nowMs())
    if (what === 'settle' || what === 'finish') missed.add(idsOf(request), 'settled', request.tokens, nowMs())
    if (what === 'written' || what === 'finish') missed.addWritten(idsOf(request), { requests: 1, ...request })
  }

  const send = (args: readonly (string | number)[], onMissed: () => void): void => {
    if (isClosed) return
    if (!isRegistered || redis.isAway) {
      isRegistered = false
      onMissed()
      return
    }
    const sentIn = epoch
    redis.run(changeScript, [limitKeys], [time(), nodeId(), epoch, ...args]).then(
      (reply) => {
        if (reply === 'ok') return
        onMissed()
        if (sentIn === epoch) registerLater()
      },
      (error: unknown) => {
        onMissed()
        if (sentIn === epoch) isRegistered = false
        if (!(error instanceof RedisAway)) log.error('limits_not_counted', { error: errorText(error) })
      },
    )
  }

  const unsubscribe = redis.subscribe(channel, (from) => {
    if (from !== nodeId()) registerLater()
  })
  const forgetReturn = redis.onReturned(() => void register(lastDay, false).catch(() => {}))

  return {
    live,
    nowMs,
    /** Whether Redis answers and knows the requests of this node, as far as it is known here. */
    isReady: (): boolean => isRegistered && !redis.isAway,
    /**
     * Calls `act` with the answer, before anything else can be registered. Throws `RedisAway`, or the error for callers if the
     * nodes have not registered again yet after Redis has lost its data.
     */
    async decide<Result>(
      args: readonly (string | number)[],
      today: number,
      act: (answer: Answer) => Result,
    ): Promise<Result> {
      lastDay = today
      const startedAtMs = clock.monotonicMs()
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        if (!isRegistered) await register(today, false)
        const sentIn = epoch
        const all = [time(), nodeId(), epoch, ...args]
        const reply = await redis.run(decideScript, [limitKeys], all).catch((error: unknown) => {
          if (sentIn === epoch) isRegistered = false
          throw error
        })
        const answer = readAnswer(reply)
        learnTime(answer.nowMs)
        if (answer.status === 'wait') {
          if (clock.monotonicMs() - startedAtMs > maxWaitMs) break
          await new Promise<void>((resolve) => void clock.after(lookMs, resolve))
        } else if (answer.status === 'lost' || answer.status === 'resync') {
          if (sentIn === epoch) isRegistered = false
          if (!isRegistered) await register(today, true)
          // If it was registered again meanwhile, what the answer changed is lost.
        } else if (sentIn === epoch) return act(answer)
      }
      throw limitsUnavailable()
    },
    /** Counts it now, or when Redis returns. */
    change(changes: readonly Change[]): void {
      const args = changes.flatMap(({ what, id, request: { tokens, micros, day } }) =>
        changeArguments.pack({ what, id, tokens, micros, day }),
      )
      send(args, () => changes.forEach(note))
    },
    /** What is changed in the callback counts as missed, and is part of what is registered. */
    beforeRegistering(callback: () => void): void {
      onRegister = callback
    },
    countRefused(ids: readonly string[], count: number): void {
      const refused = changeArguments.pack({ what: 'refuse', id: ids.join(' '), tokens: count, micros: 0, day: 0 })
      send(refused, () => missed.add(ids, 'refused', count, nowMs()))
    },
    /** Counts what was admitted without Redis. */
    noteRequest: (request: LiveRequest): void => missed.add(idsOf(request), 'requests', 1, nowMs()),
    /** The ledger has settled what this node left open. It may be called more than once, and for unknown nodes. */
    async releaseNode(id: string, today: number): Promise<void> {
      for (let left = 1; left > 0; )
        left = Number(await redis.run(releaseNodeScript, [limitKeys], [time(), id, '', today, releasedAtOnce]))
    },
    register,
    /** For a node without requests: whether Redis still knows it. */
    check(): void {
      if (isRegistered) send([], () => {})
      else if (!redis.isAway) register(lastDay, false).catch(() => {})
    },
    close(): void {
      isClosed = true
      unsubscribe()
      forgetReturn()
    },
  }
}

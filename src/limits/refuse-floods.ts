import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { LimitScope } from '../store/ledger-contract.ts'
import { goDuration } from './go-duration.ts'
import { nameOfEntity } from './limited-entity.ts'
import type { Caller, Limiter, PendingRequest } from './limiter-contract.ts'
import { addToWindow, createSlidingWindow, type SlidingWindow, windowFallsTo, windowTotal } from './sliding-window.ts'
import { maxRefusedRequests, type RefusedSettings } from './too-many-refused.ts'

type FloodOptions = { settings: RefusedSettings; clock: Pick<Clock, 'monotonicMs' | 'now'> }

/** Refusals by a limit are cheap, so a client that retries too early may have more of them than of others. */
const timesLimit = 2
/** When there are more windows, those that have become empty are dropped. */
const sweepAbove = 1_000

/**
 * The limiter, but for callers that flood this server: once the limits have refused twice as many requests of a key or an
 * organisation in 60 seconds as may be refused, further ones are refused without asking them, and their connections are closed. Such
 * a refusal does not count itself, so a client that keeps sending is admitted again after the stated wait.
 */
export const refuseFloods = <Checked extends Pick<Limiter, 'precheck'>>(
  limiter: Checked,
  { settings, clock }: FloodOptions,
): Checked => {
  const windows = new Map<string, SlidingWindow>()
  let nextSweep = sweepAbove

  const windowOf = (id: string): SlidingWindow => {
    const known = windows.get(id)
    if (known !== undefined) return known
    const window = createSlidingWindow()
    windows.set(id, window)
    return window
  }
  const sweep = (nowMs: number): void => {
    if (windows.size <= nextSweep) return
    for (const [id, window] of windows) if (windowTotal(window, nowMs) === 0) windows.delete(id)
    nextSweep = Math.max(sweepAbove, windows.size * 2)
  }
  const findFlood = (caller: Caller): ApiError | null => {
    for (const entity of entitiesOf(caller)) {
      const limit = maxRefusedRequests(entity.scope, settings)
      const window = windows.get(entity.id)
      if (limit === 0 || window === undefined) continue
      const nowMs = clock.monotonicMs()
      const most = timesLimit * limit
      if (windowTotal(window, nowMs) < most) continue
      return floodError(entity, limit, windowFallsTo(window, nowMs, most - 1) - nowMs, clock.now())
    }
    return null
  }
  const count = (caller: Caller, error: unknown): void => {
    if (!(error instanceof ApiError) || error.options.limit === undefined) return
    const nowMs = clock.monotonicMs()
    sweep(nowMs)
    for (const { id } of entitiesOf(caller)) addToWindow(windowOf(id), nowMs, 1)
  }
  const counting = (pending: PendingRequest, caller: Caller): PendingRequest => ({
    admitWithoutTokens: () => pending.admitWithoutTokens(),
    headers: () => pending.headers(),
    release: () => pending.release(),
    refuse: (cpuMs) => pending.refuse(cpuMs),
    async admit(request, work) {
      try {
        return await pending.admit(request, work)
      } catch (error) {
        count(caller, error)
        throw error
      }
    },
  })
  return {
    ...limiter,
    async precheck(caller, precheck) {
      const flood = findFlood(caller)
      if (flood !== null) throw flood
      try {
        return counting(await limiter.precheck(caller, precheck), caller)
      } catch (error) {
        count(caller, error)
        throw error
      }
    },
  }
}

type Entity = { scope: Exclude<LimitScope, 'server'>; id: string }

const entitiesOf = ({ organisationId, key }: Caller): Entity[] => [
  ...(key === null ? [] : [{ scope: 'key' as const, id: key.id }]),
  { scope: 'organisation', id: organisationId },
]

const floodError = (entity: Entity, limit: number, waitMs: number, now: number): ApiError =>
  ApiError.of(
    'too_many_refused',
    { whose: nameOfEntity(entity), limit, wait: goDuration(waitMs) },
    {
      headers: { connection: 'close' },
      retryAfterMs: Math.ceil(waitMs),
      limit: {
        ...{ name: 'refused_requests_per_minute', scope: entity.scope },
        ...{ limit, used: limit, requested: 1, resetsAt: now + Math.ceil(waitMs) },
      },
    },
  )

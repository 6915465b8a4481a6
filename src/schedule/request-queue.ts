import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { PauseSwitch } from '../base/pause-switch.ts'
import { RequestSlot } from './request-slot.ts'
import type { Decision } from './scheduled-request.ts'
import type { SlotLeases } from './slot-leases.ts'
import { SlotScheduler, type SlotSchedulerOptions } from './slot-scheduler.ts'
import { SlotWait } from './slot-wait.ts'
import type { RequestSize } from './token-cost.ts'

/**
 * Where requests wait for an engine slot. `SlotScheduler` makes the decisions; this module applies them to requests
 * with promises and timers. If the queue is full or the wait too long, the request fails at once instead of hanging.
 */
export interface RequestQueue {
  /** Resolves when the request gets a slot. Rejects with an `ApiError` or the signal's reason. */
  enter(request: QueuedRequest, signal: AbortSignal): Promise<Slot>
  /** At least 1. Requests that run continue, even if they are more. */
  resize(slots: number): void
  /** Slots in use. */
  readonly running: number
  readonly waiting: number
  /** Number of requests and owners in memory. */
  readonly remembered: { requests: number; owners: number }
}

/** The organisations of one owner count as one. */
type QueuedRequest = {
  organisationId: string
  ownerId: string
  size: RequestSize
  /** Pauses the answer while others have its turn. Without it, the answer keeps its slot to the end. */
  pausing?: PauseSwitch | undefined
}

/** A slot, and what its request may do with it. */
export type Slot = Pick<RequestSlot, 'used' | 'release' | 'tryExtra' | 'yield' | 'suspend' | 'resume' | 'pauses'>

export type RequestQueueOptions = Omit<SlotSchedulerOptions, 'organisationQueueLimit'> & {
  /** Null: up to the size of the queue. */
  organisationQueueLimit: number | null
  organisationWeights: readonly string[]
  clock: Clock
}

type Tick = { type: 'none' } | { type: 'scheduled'; atMs: number; cancel(): void }

export const createRequestQueue = ({ clock, ...options }: RequestQueueOptions): RequestQueue => {
  const { queueLimit, queueTimeoutMs, reservedSlots } = options
  const weightOf = readWeights(options.organisationWeights)
  const scheduler = new SlotScheduler({
    ...options,
    organisationQueueLimit: options.organisationQueueLimit ?? queueLimit,
  })
  const waits = new Map<number, SlotWait>()
  const leasesById = new Map<number, SlotLeases>()
  let lastId = 0
  let tick: Tick = { type: 'none' }

  const apply = (decision: Decision): void => {
    const wait = waits.get(decision.id)
    const leases = leasesById.get(decision.id)
    if (decision.type === 'pause') leases?.pause()
    else if (decision.type === 'start') (wait ?? leases)?.start()
    else wait?.refuse(ApiError.of(decision.error, {}, { retryAfterMs: decision.retryAfterMs }))
  }
  const carryOut = (decisions: readonly Decision[]): void => {
    for (const decision of decisions) apply(decision)
    scheduleTick()
  }
  const scheduleTick = (): void => {
    const nowMs = clock.monotonicMs()
    const atMs = scheduler.nextTickMs(nowMs)
    if (atMs === (tick.type === 'none' ? null : tick.atMs)) return
    if (tick.type === 'scheduled') tick.cancel()
    tick = atMs === null ? { type: 'none' } : { type: 'scheduled', atMs, cancel: clock.after(atMs - nowMs, onTick) }
  }
  const onTick = (): void => {
    tick = { type: 'none' }
    carryOut(scheduler.tick(clock.monotonicMs()))
  }
  /** Present until the request is started or refused, which may happen in the first decisions. */
  const wait = (
    id: number,
    signal: AbortSignal,
    timeoutMs: number | null,
    first: readonly Decision[],
  ): Promise<void> => {
    // Most start at once.
    if (first.length === 1 && first[0]?.id === id && first[0].type === 'start') {
      if (scheduler.waiting > 0) scheduleTick()
      return Promise.resolve()
    }
    const waiting = new SlotWait(signal, (state) => {
      waits.delete(id)
      if (state === 'left') carryOut(scheduler.leave(id, clock.monotonicMs()))
    })
    waits.set(id, waiting)
    carryOut(first)
    const startTimeout = (): (() => void) =>
      timeoutMs === null ? () => {} : clock.after(timeoutMs, () => carryOut(scheduler.expire(id, clock.monotonicMs())))
    if (waiting.isWaiting) waiting.follow(startTimeout)
    return waiting.ended
  }
  const openSlot = (id: number, pausing: PauseSwitch | undefined): Slot =>
    new RequestSlot({
      ...{ id, pausing, scheduler, carryOut, monotonicMs: clock.monotonicMs },
      wait: (signal, decisions) => wait(id, signal, null, decisions),
      setLeases(leases) {
        if (leases === null) leasesById.delete(id)
        else leasesById.set(id, leases)
      },
    })

  return {
    async enter({ organisationId, ownerId, size, pausing }, signal) {
      signal.throwIfAborted()
      lastId += 1
      const id = lastId
      const arrival = { id, ownerId, weight: weightOf(organisationId), size, canPause: pausing !== undefined }
      await wait(id, signal, queueTimeoutMs, scheduler.arrive(arrival, clock.monotonicMs()))
      return openSlot(id, pausing)
    },
    resize: (slots) => carryOut(scheduler.resize({ slots, reservedSlots }, clock.monotonicMs())),
    get running() {
      return scheduler.running
    },
    get waiting() {
      return scheduler.waiting
    },
    get remembered() {
      return scheduler.remembered
    },
  }
}

/** Parses entries of the setting `organisationWeights`, such as `org_1a2b=2`. The default weight is 1. */
const readWeights = (entries: readonly string[]): ((organisationId: string) => number) => {
  const weights = new Map<string, number>()
  for (const entry of entries) {
    const [organisationId = '', weight] = entry.split('=')
    weights.set(organisationId, Number(weight))
  }
  return (organisationId) => weights.get(organisationId) ?? 1
}

import { asBatched, type Batched, toBatches } from '../../../base/batches.ts'
import { followSignal } from '../../../base/following-signal.ts'
import type { EngineEvent } from '../../../engine/contract.ts'

/**
 * An answer that an upstream is asked for while the reservation of its request is being written, so that the time of a commit is
 * not added to the upstream's. Nothing of it is read, counted or sent before `take`, which is called once the reservation is
 * durable: up to there nobody has received anything that would have to be billed.
 */
export interface EarlyStart<Slot = unknown> {
  /** Rejects if there is none, see `RequestQueue`. */
  readonly slot: Promise<Slot>
  /** The events from the first on. From now on `until` ends it. */
  take(until: AbortSignal): Batched<EngineEvent>
  /** The request is over. What was begun and not taken is given up, with its slot. */
  close(): void
}

type EarlyStartOptions<Slot> = {
  enter(signal: AbortSignal): Promise<Slot>
  leave(slot: Slot): void
  generate(signal: AbortSignal): AsyncIterable<EngineEvent>
  signal: AbortSignal
}

export const startEarly = <Slot>({ enter, leave, generate, signal }: EarlyStartOptions<Slot>): EarlyStart<Slot> => {
  const wanted = followSignal(signal)
  let begun: ReturnType<typeof begin> | null = null
  let isTaken = false
  let isClosed = false
  const slot = enter(wanted.signal).then((entered) => {
    if (isClosed) leave(entered)
    else begun = begin(generate(wanted.signal))
    return entered
  })
  // Whether there is a slot matters only once the request is recorded.
  slot.catch(() => {})
  return {
    slot,
    take(until) {
      if (begun === null) throw new Error('an answer is taken once it has a slot')
      isTaken = true
      const stop = (): void => wanted.abort(until.reason)
      if (until.aborted) stop()
      else until.addEventListener('abort', stop, { once: true })
      return begun.events
    },
    close() {
      isClosed = true
      if (!isTaken) {
        wanted.abort(new Error('the answer is not wanted'))
        begun?.giveUp()
        if (begun !== null) slot.then(leave, () => {})
      }
      wanted.release()
    },
  }
}

/** Asks for the first events now, and passes them on like all others. Adds no step to those that follow. */
const begin = (events: AsyncIterable<EngineEvent>) => {
  const batches = toBatches(events)[Symbol.asyncIterator]()
  let first: Promise<IteratorResult<readonly EngineEvent[], void>> | null = batches.next()
  first.catch(() => {})
  const end = async (): Promise<IteratorResult<readonly EngineEvent[], void>> => {
    await batches.return?.()
    return { done: true, value: undefined }
  }
  return {
    events: asBatched<EngineEvent>({
      next() {
        const next = first ?? batches.next()
        first = null
        return next
      },
      return: end,
      [Symbol.asyncIterator]() {
        return this
      },
    }),
    giveUp: (): void => void end().catch(() => {}),
  }
}

import { ApiError } from '../base/api-error.ts'
import type { ByteLease } from './byte-budget.ts'
import { eventId } from './event-id.ts'

/**
 * One answer while it is told: its events in their order, for any number of readers, each at its own pace. A slow reader
 * holds up nobody, until the answer is longer than there is room for: then it can no longer be kept as a whole, what all
 * present readers have read is dropped, and the answer waits for the slowest of them.
 */
export interface EventBuffer {
  readonly completionId: string
  /** How many events there were so far. */
  readonly count: number
  /** Everything since the beginning is here. */
  readonly isWhole: boolean
  readonly bytes: number
  /** Returns a promise only when there is no room for more: wait for it. It rejects when the signal is aborted. */
  append(data: string, signal?: AbortSignal): Promise<void> | undefined
  /** Readers see these with the end and not before, and none of them is waited for. */
  appendLast(events: readonly string[]): void
  /** Lets readers see the end. */
  end(): void
  /** Readers get what is there, and then this. */
  fail(error: unknown): void
  /** The data of all events, one a line. */
  content(): string
  /** From this event on. Throws `answer_not_kept` when that one was dropped. */
  read(from: number): Reader
}

export type RecordedEvent = { id: string; data: string }

export interface Reader {
  /** Ends when the answer does; throws what it failed with, or the reason of the signal. */
  events(signal: AbortSignal): AsyncGenerator<RecordedEvent, void>
  close(): void
}

type EventBufferOptions = {
  completionId: string
  limitBytes: number
  memory: ByteLease
  /** For what is to be kept; null where it is already. */
  disk: ByteLease | null
}

type State = { type: 'open' | 'ended' } | { type: 'failed'; error: unknown }

export const createEventBuffer = (options: EventBufferOptions): EventBuffer => {
  const { completionId, limitBytes, memory, disk } = options
  const events = new Map<number, string>()
  const places = new Set<{ next: number }>()
  const waiting = new Set<() => void>()
  let state: State = { type: 'open' }
  let isWhole = true
  let first = 0
  let count = 0
  /** From here on events are seen with the end only. */
  let hiddenFrom = Number.POSITIVE_INFINITY
  let bytes = 0

  const wake = (): void => {
    for (const go of [...waiting]) go()
  }
  const fits = (): boolean => {
    const inMemory = memory.resize(bytes)
    const onDisk = !isWhole || disk === null || disk.resize(bytes)
    return bytes <= limitBytes && inMemory && onDisk
  }
  const dropRead = (): void => {
    const slowest = Math.min(...[...places].map(({ next }) => next))
    if (slowest === Number.POSITIVE_INFINITY) return
    for (; first < slowest && !fits(); first += 1) {
      bytes -= sizeOf(events.get(first) ?? '')
      events.delete(first)
    }
  }
  const add = (data: string): void => {
    events.set(count, data)
    count += 1
    bytes += sizeOf(data)
  }
  const giveUpWhole = (): void => {
    if (!isWhole) return
    isWhole = false
    disk?.close()
  }
  const untilFits = async (signal?: AbortSignal): Promise<void> => {
    for (;;) {
      await change(waiting, signal)
      dropRead()
      if (fits()) return
    }
  }

  return {
    completionId,
    get count() {
      return count
    },
    get isWhole() {
      return isWhole
    },
    get bytes() {
      return bytes
    },
    append(data, signal) {
      add(data)
      wake()
      if (fits()) return undefined
      giveUpWhole()
      dropRead()
      return fits() ? undefined : untilFits(signal)
    },
    appendLast(last) {
      hiddenFrom = count
      for (const data of last) add(data)
      if (!fits()) giveUpWhole()
    },
    end() {
      state = { type: 'ended' }
      hiddenFrom = Number.POSITIVE_INFINITY
      wake()
    },
    fail(error) {
      if (state.type !== 'open') return
      state = { type: 'failed', error }
      wake()
    },
    content: () => [...events.values()].join('\n'),
    read(from) {
      if (from < first) throw ApiError.of('answer_not_kept', {}, { shouldRetry: false })
      const place = { next: from }
      places.add(place)
      return {
        async *events(readerSignal) {
          for (;;) {
            readerSignal.throwIfAborted()
            const data = place.next < hiddenFrom ? events.get(place.next) : undefined
            if (data !== undefined) {
              yield { id: eventId(completionId, place.next), data }
              place.next += 1
              if (!isWhole) wake()
            } else if (state.type === 'failed') throw state.error
            else if (state.type === 'ended') return
            else await change(waiting, readerSignal)
          }
        },
        close() {
          places.delete(place)
          wake()
        },
      }
    },
  }
}

/** As it lies on disk: UTF-8, and the end of its line. */
export const sizeOf = (data: string): number => Buffer.byteLength(data) + 1

const change = (waiting: Set<() => void>, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(go)
      signal?.removeEventListener('abort', onAbort)
    }
    const go = (): void => {
      leave()
      resolve()
    }
    const onAbort = (): void => {
      leave()
      reject(signal?.reason)
    }
    if (signal?.aborted) return onAbort()
    waiting.add(go)
    signal?.addEventListener('abort', onAbort)
  })

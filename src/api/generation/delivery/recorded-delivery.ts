import { ApiError } from '../../../base/api-error.ts'
import { eventBytes } from '../../../replay/event-buffer.ts'
import type { Recorder } from '../../../replay/recording.ts'
import { leaseExpired } from './connection.ts'
import type { Delivery, ResponseEnd } from './delivery.ts'

type RecordedOptions = Pick<Delivery, 'admitted'> & {
  /** The maximum size of the response if all its tokens are like the first; null if that was reserved already. */
  maxBytes: ((tokenBytes: number) => number) | null
  /** Everything but the last events has been recorded. */
  complete(): void
  /** All of it was recorded and counted. */
  onEnd(bytes: number): void
  /** There was no space for so many bytes: more were needed than had been reserved. */
  onFull(bytes: number): void
}

/** Puts the response into a recording that any number of connections can read. */
export const openRecordedDelivery = (
  recorder: Recorder,
  signal: AbortSignal,
  { admitted, maxBytes, complete, onEnd, onFull }: RecordedOptions,
): Delivery => {
  let bytes = 0
  const noteFull = (error: unknown): unknown => {
    if (error instanceof ApiError && error.errorName === 'replay_buffer_full') onFull(bytes)
    return error
  }
  return {
    admitted,
    begin(tokenBytes) {
      if (maxBytes !== null) recorder.reserve(maxBytes(tokenBytes))
    },
    send(data) {
      bytes += eventBytes(data)
      try {
        return recorder.append(data, signal)
      } catch (error) {
        throw noteFull(error)
      }
    },
    async end(end, settle) {
      const events = endEvents(end)
      for (const data of events) bytes += eventBytes(data)
      try {
        await recorder.end(events, async (replay) => {
          complete()
          const { durable } = settle(replay)
          onEnd(bytes)
          if ((await durable) === 'lost') throw leaseExpired()
        })
      } catch (error) {
        throw noteFull(error)
      }
    },
  }
}

const endEvents = (end: ResponseEnd): readonly string[] =>
  end.type === 'document' ? [end.pieces.join('')] : end.events

import type { Clock } from '../base/clock.ts'
import type { ReplayRecord } from '../store/ledger-contract.ts'
import type { EventBuffer } from './event-buffer.ts'

/** Where the work on an answer puts it. */
export interface Recorder {
  /** Aborted when nobody wants it any more, or when it has to end. */
  readonly signal: AbortSignal
  /** Returns a promise only when there is no room for more: wait for it. It rejects when the signal is aborted. */
  append(data: string, signal: AbortSignal): Promise<void> | undefined
  /**
   * All of it was handed over but its last events: `settle` settles the request together with what is to be kept, and
   * readers see the last events once that is durable.
   */
  end(lastEvents: readonly string[], settle: (replay: ReplayRecord) => Promise<void>): Promise<void>
}

/**
 * How long the end is held back for a settlement that cannot be written. It goes on being tried, and until it is written
 * the answer is told again from memory; but whoever has all of an answer must not hang on its end until a disk is emptied.
 */
export const endWaitMs = 5_000

type RecorderOptions = {
  recording: EventBuffer
  record: Omit<ReplayRecord, 'content'>
  clock: Clock
  signal: AbortSignal
  /** All of it was handed over. */
  onComplete(): void
  /** Readers are told of the end. The settlement may still have to be written. */
  onEnd(): void
}

export const createRecorder = ({ recording, record, clock, signal, onComplete, onEnd }: RecorderOptions): Recorder => ({
  signal,
  append: recording.append,
  async end(lastEvents, settle) {
    recording.appendLast(lastEvents)
    onComplete()
    // An answer that was too long is remembered without its text: the same key must not be billed twice.
    const settled = settle({ ...record, content: recording.isWhole ? recording.content() : '' })
    const tellEnd = (): void => {
      recording.end()
      onEnd()
    }
    const cancel = clock.after(endWaitMs, tellEnd)
    try {
      await settled
    } finally {
      cancel()
      tellEnd()
    }
  },
})

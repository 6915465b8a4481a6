import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { EventBuffer, RecordedEvent } from './event-buffer.ts'
import { parseEventId } from './event-id.ts'

/** What one connection hears of an answer. */
export type Subscription = {
  /** Somebody else made it run, or it was told before. */
  replayed: boolean
  /** It has begun: whatever happens now happens midway. */
  begun: boolean
  /** Ends when the answer does; throws what it failed with, or the reason of the signal. */
  events(signal: AbortSignal): AsyncGenerator<RecordedEvent, void>
  /** This connection wants no more. */
  close(): void
}

/** An answer that connections can be told of: one that runs, or one that was loaded. */
export interface Recording {
  readonly bodyHash: Uint8Array
  /** It comes from the store: nobody hears it for the first time. */
  readonly isLoaded: boolean
  readonly isHeard: boolean
  /** No further connection may be told of it: it was told to end, has failed, or was let go of. */
  readonly isOver: boolean
  /** Resolves once its name is free. */
  readonly nameFree: Promise<void>
  /** Throws `stream_not_resumable` or `answer_not_kept`. */
  subscribe(lastEventId: string | null, replayed: boolean): Subscription
  /** Whoever made it holds it until this is called. */
  release(): void
  /** It has to end now. */
  abort(reason: unknown): void
  /** All of it is there, though not yet on disk: from now on it needs nobody who listens. */
  complete(): void
  /** There is no more work on it. Its name is free at once when it has failed, else when nobody listens any more. */
  finish(end: 'kept' | 'failed'): void
}

type RecordingOptions = {
  bodyHash: Uint8Array
  isLoaded: boolean
  recording: EventBuffer
  graceMs: number
  clock: Clock
  /** The work on it must end. */
  onAbort(reason: unknown): void
  /** Why it ends when nobody has listened for the time of grace. */
  abandoned(): unknown
  onNameFree(): void
  /** No more work, and nobody listens: its memory is free. */
  onGone(): void
}

export const createRecording = (options: RecordingOptions): Recording => {
  const { bodyHash, isLoaded, recording, graceMs, clock } = options
  const nameFree = Promise.withResolvers<void>()
  /** The first is whoever made it. */
  let listeners = 1
  let isComplete = false
  let isFinished = false
  let isOver = false
  let isNameFree = false
  let cancelGrace = (): void => {}

  const abort = (reason: unknown): void => {
    isOver = true
    cancelGrace()
    options.onAbort(reason)
  }
  const abandon = (): void => abort(options.abandoned())
  const freeName = (): void => {
    if (isNameFree) return
    isOver = true
    isNameFree = true
    options.onNameFree()
    nameFree.resolve()
  }
  const lookAfter = (): void => {
    if (listeners > 0) return
    if (isFinished) {
      freeName()
      options.onGone()
    } else if (isOver || isComplete) return
    else if (graceMs === 0) abandon()
    else cancelGrace = clock.after(graceMs, abandon)
  }
  const leave = (): void => {
    listeners -= 1
    lookAfter()
  }
  return {
    bodyHash,
    isLoaded,
    get isHeard() {
      return listeners > 0
    },
    get isOver() {
      return isOver
    },
    nameFree: nameFree.promise,
    abort,
    subscribe(lastEventId, replayed) {
      const reader = recording.read(lastEventId === null ? 0 : placeBehind(lastEventId, recording))
      listeners += 1
      cancelGrace()
      let isClosed = false
      return {
        replayed,
        begun: recording.count > 0,
        events: reader.events,
        close() {
          if (isClosed) return
          isClosed = true
          reader.close()
          leave()
        },
      }
    },
    release: leave,
    complete() {
      isComplete = true
      cancelGrace()
    },
    finish(end) {
      isFinished = true
      cancelGrace()
      if (end === 'failed') freeName()
      lookAfter()
    },
  }
}

const placeBehind = (lastEventId: string, { completionId, count }: EventBuffer): number => {
  const seen = parseEventId(lastEventId)
  if (seen === null || seen.completionId !== completionId || seen.index >= count)
    throw ApiError.of('stream_not_resumable', {}, { shouldRetry: false })
  return seen.index + 1
}

import { ApiError } from '../base/api-error.ts'
import { parseEventId } from './event-id.ts'

type Resumable = {
  completionId: string
  /** The first event that is still available. */
  first: number
  /** How many events clients may have seen. */
  count: number
}

/** The index of the event after `Last-Event-ID`, or of the first one without it. Throws if a stream cannot continue there. */
export const resumePosition = (lastEventId: string | null, { completionId, first, count }: Resumable): number => {
  const seen = lastEventId === null ? null : parseEventId(lastEventId)
  if (lastEventId !== null && (seen?.completionId !== completionId || seen.index >= count))
    throw ApiError.of('stream_not_resumable', {}, { shouldRetry: false })
  const position = seen === null ? 0 : seen.index + 1
  if (position < first) throw ApiError.of('answer_not_kept', {}, { shouldRetry: false })
  return position
}

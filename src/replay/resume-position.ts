import { ApiError } from '../base/api-error.ts'

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

/** The `id:` of an event: the completion it belongs to, and its number, counted from 0. */
export const eventId = (completionId: string, index: number): string => `${completionId}:${index}`

/** Null if it is not such an id. */
export const parseEventId = (text: string): { completionId: string; index: number } | null => {
  const [, completionId, digits] = /^([a-z]{1,20}[-_][0-9A-Za-z]{1,100}):(0|[1-9]\d{0,14})$/.exec(text) ?? []
  return completionId === undefined ? null : { completionId, index: Number(digits) }
}

import type { ApiError } from '../../base/api-error.ts'
import { type ApiStyle, openAiStyle } from '../../http/api-style.ts'
import type { ResponseEvent } from './stream-events.ts'

/** Errors are those of the other endpoints. Events have names, and the last one says that it is the last. */
export const responsesStyle: ApiStyle = {
  ...openAiStyle,
  errorEvent: (error, _, sentEvents) => JSON.stringify(errorEventJson(error, sentEvents)),
  eventName: (data) => /^\{"type":"([a-z._]+)"/.exec(data)?.[1] ?? null,
  endMarker: null,
}

const errorEventJson = (error: ApiError, sentEvents: number): ResponseEvent => ({
  type: 'error',
  code: error.code,
  message: error.message.toWellFormed(),
  param: error.options.param?.toWellFormed() ?? null,
  sequence_number: sentEvents,
})

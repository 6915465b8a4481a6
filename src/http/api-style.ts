import type { ApiError } from '../base/api-error.ts'
import { errorBody } from './error-body.ts'

/**
 * How the responses of a route look, apart from their content. APIs modelled on another provider than OpenAI, or on
 * another of its endpoints, format errors and streams differently and may read the key from another header.
 */
export type ApiStyle = {
  /** The header with the key if a request has no `Authorization`; null if only that header counts. */
  readonly keyHeader: 'x-api-key' | null
  /** Sent with every response. */
  headers(requestId: string): Readonly<Record<string, string>>
  /** Converts OpenAI's rate-limit headers; absent if they are sent unchanged. */
  limitHeaders?(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  /** The JSON of an error. Its status and its `retry-after` are the same in every style. */
  errorBody(error: ApiError, requestId: string): unknown
  /** The data of the event that ends a stream with an error, after so many events. */
  errorEvent(error: ApiError, requestId: string, sentEvents: number): string
  /** The name of the event with this data; null for an event without a name. */
  eventName(data: string): string | null
  /** The data of the event after the last one; null if there is none. */
  readonly endMarker: string | null
  /** What a stream sends when it has nothing to send; clients skip it. */
  readonly ping: string
}

export const openAiStyle: ApiStyle = {
  keyHeader: null,
  headers: () => ({}),
  errorBody,
  errorEvent: (error) => JSON.stringify(errorBody(error)),
  eventName: () => null,
  endMarker: '[DONE]',
  ping: ': ping\n\n',
}

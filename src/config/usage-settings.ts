import { limitSettings } from './limit-settings.ts'
import { integer, limit, type Setting } from './setting.ts'

/** Limits of requests, tokens and amounts. */
export const usageSettings = {
  ...limitSettings,
  answerReservationTokens: integer({
    default: 1024,
    min: 1,
    max: 1_048_576,
    text: 'Tokens reserved at a time for each choice of a request without `max_completion_tokens`; more are reserved as they are used up.',
  }),
  refusedRequestsPerMinute: limit({
    default: 600,
    text: 'Rejected requests per minute for a key. Above this limit, requests with the key are rejected before the body is read. One with a large body counts as one for every 2 ms of CPU time it took.',
  }),
  organisationRefusedRequestsPerMinute: limit({
    default: 2_400,
    text: 'Rejected requests per minute for all keys of an organisation and its playground combined.',
  }),
} satisfies Record<string, Setting<unknown>>

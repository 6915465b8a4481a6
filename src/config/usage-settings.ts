import { limitSettings } from './limit-settings.ts'
import { prices } from './price-setting.ts'
import { currency, integer, limit, path, type Setting, timeZone } from './setting.ts'

/** Limits, prices, and the days and months by which they count. */
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
  currency: currency({
    default: 'USD',
    text: 'Currency of all prices, costs and budgets: an ISO 4217 code. It is only a label; nothing is converted.',
  }),
  prices: prices({
    editedIn: 'prices',
    default: {},
    defaultText: 'those of the upstreams; otherwise none',
    text: 'Prices of models by name, in units of `currency` for a million tokens, for example `{"helix-v1": {"prompt": 0.1, "cached": 0.02, "completion": 0.4}}`; see docs/limits.md.',
  }),
  hostedPrices: path({
    default: null,
    defaultText: 'bundled',
    text: 'JSON file with the prices of hosted models, for upstreams with a `preset` and models without a price of their own; see docs/upstreams.md.',
  }),
  timeZone: timeZone({ default: 'UTC', text: 'Time zone in which days and months start, for budgets and usage.' }),
} satisfies Record<string, Setting<unknown>>

import { prices } from './price-setting.ts'
import { currency, path, type Setting, timeZone } from './setting.ts'

/** Prices, and the days and months by which usage is counted. */
export const priceSettings = {
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

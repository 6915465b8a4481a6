import { choice, integer, list, type Setting } from './setting.ts'

/** The answer cache. */
export const cacheSettings = {
  cacheModels: list({
    default: [],
    text: 'Models whose answers are kept and sent again to the same request of the same organisation, if its temperature is 0 or it has the header `x-helix-cache: on`; `*` for all models. See docs/cache.md.',
  }),
  cacheKeys: list({
    default: [],
    text: 'IDs of API keys for whose requests the same applies, whatever the model.',
  }),
  cacheStore: choice(['database', 'redis'], {
    default: 'database',
    text: 'Where cached answers are. `redis` needs `redis`, the Redis of a cluster.',
  }),
  cachePricePercent: integer({
    default: 0,
    min: 0,
    max: 100,
    text: "What an answer from the cache costs, in percent of the model's price.",
  }),
  cacheRetentionHours: integer({
    editedIn: 'retention',
    default: 24,
    min: 1,
    max: 8760,
    text: 'How long answers stay in the cache.',
  }),
  cacheLimitBytes: integer({
    default: 268_435_456,
    min: 65_536,
    max: 1_099_511_627_776,
    text: 'Maximum size of the cache. Beyond it, the oldest answers of the organisation with the most are removed.',
  }),
  cacheAnswerLimitBytes: integer({
    default: 1_048_576,
    min: 1024,
    max: 16_777_216,
    text: 'Largest answer that is kept in the cache.',
  }),
} satisfies Record<string, Setting<unknown>>

import { hookSecrets, hooks } from './hook-setting.ts'
import { choice, integer, list, type Setting } from './setting.ts'

/** Answers kept to be sent again, and what looks at requests and answers. */
export const answerSettings = {
  resumeGraceMs: integer({
    default: 30_000,
    min: 0,
    max: 3_600_000,
    text: 'How long generation continues after the client disconnects, for requests with an Idempotency-Key.',
  }),
  replayRetentionHours: integer({
    editedIn: 'retention',
    default: 24,
    min: 1,
    max: 720,
    text: 'How long responses to requests with an Idempotency-Key are stored for replay.',
  }),
  replayAnswerLimitBytes: integer({
    default: 16_777_216,
    min: 65_536,
    max: 1_073_741_824,
    text: 'Largest response stored for replay. Of a larger response, only the part that clients have not received yet is kept.',
  }),
  replayMemoryLimitBytes: integer({
    default: 268_435_456,
    min: 65_536,
    max: 68_719_476_736,
    text: 'Maximum memory for responses being replayed.',
  }),
  replayDiskLimitBytes: integer({
    default: 1_073_741_824,
    min: 65_536,
    max: 1_099_511_627_776,
    text: 'Maximum disk space for responses stored for replay.',
  }),
  hooks: hooks({
    default: [],
    text: 'What looks at requests before they are answered and at answers before they are sent: patterns and secrets of known shapes to redact or block, and HTTP servers to ask; see docs/hooks.md.',
  }),
  hookSecret: hookSecrets({
    default: null,
    secret: true,
    text: 'Secret with which requests to HTTP hooks are signed, as webhooks are: `whsec_` and 24 to 64 bytes in Base64; two, separated by a comma, while it is replaced. See docs/hooks.md.',
  }),
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

import { integer, type Setting, weights } from './setting.ts'

/** Requests that wait for a slot. */
export const queueSettings = {
  queueLimit: integer({
    default: null,
    defaultText: '`64` for each model, `1024` for each model of upstreams',
    min: 0,
    max: 100_000,
    text: 'Maximum number of requests waiting for a slot.',
  }),
  organisationQueueLimit: integer({
    default: null,
    defaultText: 'as many as `queueLimit`',
    min: 0,
    max: 100_000,
    text: 'Maximum number of requests waiting for a slot of one organisation, or of the organisations of one owner together.',
  }),
  queueTimeoutMs: integer({
    default: 60_000,
    min: 1,
    max: 3_600_000,
    text: 'Maximum time a request waits for a slot.',
  }),
  organisationWeights: weights({
    default: [],
    text: "Organisations' shares of the engine while requests wait, for example `org_a=4,org_b=0.5`; 1 for all others.",
  }),
  reservedSlots: integer({
    default: 1,
    min: 0,
    max: 255,
    text: 'Slots kept for callers that have none, so that their first request starts at once and not after a turn; the organisations of one owner count as one caller. At least one slot is not kept. With `0`, one caller can use every slot while nobody else waits.',
  }),
} satisfies Record<string, Setting<unknown>>

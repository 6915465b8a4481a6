import { flag, integer, type Setting } from './setting.ts'

/** Bounds of a request and its response in bytes and time. */
export const requestSettings = {
  bodyLimitBytes: integer({
    default: 4_194_304,
    min: 1024,
    max: 1_073_741_824,
    text: 'Maximum size of a request body.',
  }),
  strictRequests: flag({
    default: false,
    text: 'Refuses requests to models with unknown fields. Otherwise such fields are ignored, and the response header `x-helix-ignored-fields` lists them. A client can ask for the same with the header `x-helix-strict: 1`.',
  }),
  partLimitBytes: integer({
    default: 5_242_880,
    min: 1024,
    max: 1_073_741_824,
    text: 'Maximum size of an image or recording in a request, decoded; the body as a whole is limited by `bodyLimitBytes`.',
  }),
  partsLimitBytes: integer({
    default: 20_971_520,
    min: 1024,
    max: 1_073_741_824,
    text: 'Maximum size of all images and recordings in a request together.',
  }),
  bodyMemoryLimitBytes: integer({
    default: 268_435_456,
    min: 1_048_576,
    max: 68_719_476_736,
    text: 'Maximum memory for all request bodies, from the first byte received until the response starts; at least `bodyMemoryShareBytes`.',
  }),
  bodyMemoryShareBytes: integer({
    default: 67_108_864,
    min: 65_536,
    max: 68_719_476_736,
    text: 'Maximum share of `bodyMemoryLimitBytes` for one client address or one organisation; at least `bodyLimitBytes`.',
  }),
  answerLimitBytes: integer({
    default: 67_108_864,
    min: 65_536,
    max: 4_294_967_296,
    text: 'Maximum memory for one response that is not streamed or is stored, including all choices and log probabilities.',
  }),
  answerBufferLimitBytes: integer({
    default: 268_435_456,
    min: 65_536,
    max: 68_719_476_736,
    text: 'Maximum memory for generated output that slow clients have not received yet. Above this limit, generation waits for them. Log probabilities of prompts in responses that are not streamed count too; without space for them, requests are refused.',
  }),
  headerLimitBytes: integer({
    default: 16_384,
    min: 1024,
    max: 1_048_576,
    text: 'Maximum size of the request headers.',
  }),
  headersTimeoutMs: integer({
    default: 10_000,
    min: 1,
    max: 600_000,
    text: 'Maximum time to receive the request headers.',
  }),
  bodyTimeoutMs: integer({
    default: 30_000,
    min: 1,
    max: 3_600_000,
    text: 'Maximum time to receive the complete request.',
  }),
  idleTimeoutMs: integer({
    default: 75_000,
    min: 1,
    max: 3_600_000,
    text: 'How long an idle keep-alive connection stays open.',
  }),
  generationTimeoutMs: integer({
    default: 600_000,
    min: 1,
    max: 86_400_000,
    text: 'Maximum time for one request, including the wait for a slot, but not the time in which its answer is paused for others.',
  }),
  heartbeatMs: integer({
    default: 10_000,
    min: 100,
    max: 600_000,
    text: 'How long a stream can be silent before a ping is sent, including before the first token.',
  }),
  stallTimeoutMs: integer({
    default: 30_000,
    min: 100,
    max: 3_600_000,
    text: 'How long a client can stop reading a stream before the connection is closed.',
  }),
  shutdownGraceMs: integer({
    default: 25_000,
    min: 0,
    max: 3_600_000,
    text: 'How long running requests can take to finish at shutdown.',
  }),
  shutdownDelayMs: integer({
    default: 10_000,
    min: 0,
    max: 3_600_000,
    text: 'How long all requests are still served after SIGTERM while `/readyz` returns 503, if a load balancer requests it. Part of `shutdownGraceMs`.',
  }),
} satisfies Record<string, Setting<unknown>>

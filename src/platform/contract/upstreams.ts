import { builtInTools } from '../../config/built-in-tools.ts'
import { pauseReasons, upstreamCapabilities, upstreamKinds, upstreamModelKinds } from '../../config/upstream-names.ts'
import { upstreamPresetNames } from '../../config/upstream-presets.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { boolean, decimal, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { omissionCodes } from '../../upstreams/litellm/omission-reasons.ts'
import { get, owner, post } from './operation.ts'
import { count, time } from './scalars.ts'
import { upstreamPeriods } from './upstream-periods.ts'

const amount = decimal({ min: 0, max: 1_000_000 })
const priceBody = described(
  'Units of the currency for a million tokens.',
  nullable(object({ prompt: optional(amount), cached: optional(amount), completion: optional(amount) })),
)

const timeout = integer({ min: 1, max: 3_600_000 })

const url = described('Base URL, usually ending in `/v1`.', string())
const settings = {
  preset: optional(
    described(
      'Sets what the body does not: address, kind, fields and capabilities.',
      nullable(oneOf(...upstreamPresetNames)),
    ),
  ),
  apiVersion: optional(described('Only of Azure: for addresses that name the deployment.', nullable(string()))),
  key: optional(described('Stored encrypted, and never returned.', nullable(string()))),
  kind: optional(oneOf(...upstreamKinds)),
  maxInFlight: optional(integer({ min: 1, max: 10_000 })),
  features: optional(
    described('The optional request fields that it accepts, instead of those of its kind.', array(string())),
  ),
  connectTimeoutMs: optional(timeout),
  firstByteTimeoutMs: optional(timeout),
  silenceTimeoutMs: optional(timeout),
  probeIntervalMs: optional(integer({ min: 0, max: 3_600_000 })),
  canary: optional(
    described(
      'Test generations; null: none.',
      nullable(
        object({
          prompt: optional(string()),
          expect: optional(nullable(string())),
          intervalMs: optional(integer({ min: 10_000, max: 86_400_000 })),
        }),
      ),
    ),
  ),
  price: optional(priceBody),
  capabilities: optional(array(oneOf(...upstreamCapabilities))),
  builtInTools: optional(
    described('The tools that it may run itself, in requests to `/v1/responses`.', array(oneOf(...builtInTools))),
  ),
  models: optional(
    described(
      'Null: those that it lists at `/v1/models`.',
      nullable(
        array(
          object({
            name: string(),
            upstreamName: optional(nullable(string())),
            kind: optional(oneOf(...upstreamModelKinds)),
            aliases: optional(array(string())),
            weight: optional(decimal({ min: 0.01, max: 100 })),
            contextTokens: optional(nullable(integer({ min: 1, max: 1_000_000_000 }))),
            price: optional(priceBody),
            tokenizer: optional(described('Path of a file on the server.', nullable(string()))),
            capabilities: optional(nullable(array(oneOf(...upstreamCapabilities)))),
            imageTokens: optional(nullable(integer({ min: 1, max: 1_000_000 }))),
          }),
        ),
      ),
    ),
  ),
}

/** The registry checks the values, by the same rules as for the setting. */
export const upstreamBody = object({ name: string(), url: optional(url), ...settings })
/** What is missing stays as it is. For another server, the key has to be sent again. */
export const upstreamChanges = object({ url: optional(url), ...settings })

const fault = oneOf(
  ...(['dns', 'refused', 'unreachable', 'tls', 'timeout', 'key_refused', 'redirect', 'not_an_api'] as const),
  ...(['no_model', 'status', 'bad_answer', 'busy', 'wrong_answer', 'bad_tokenizer'] as const),
)
const problem = described(
  'What is wrong; null if it answers.',
  nullable(object({ fault, reason: described('In English, with details.', string()) })),
)

const price = object({ promptMicros: count, cachedMicros: count, completionMicros: count })
const priceSetting = object({ prompt: amount, cached: amount, completion: amount })
const editable = object({
  apiVersion: nullable(string()),
  features: array(string()),
  capabilities: array(oneOf(...upstreamCapabilities)),
  builtInTools: array(oneOf(...builtInTools)),
  price: nullable(priceSetting),
  canary: nullable(object({ prompt: string(), expect: nullable(string()), intervalMs: count })),
  connectTimeoutMs: count,
  firstByteTimeoutMs: count,
  silenceTimeoutMs: count,
  models: described(
    'As the operator named them; null: those that it lists.',
    nullable(
      array(
        object({
          name: string(),
          upstreamName: nullable(string()),
          kind: oneOf(...upstreamModelKinds),
          aliases: array(string()),
          weight: decimal({ min: 0, max: 100 }),
          contextTokens: nullable(count),
          price: nullable(priceSetting),
          tokenizer: nullable(string()),
          capabilities: nullable(array(oneOf(...upstreamCapabilities))),
          imageTokens: nullable(count),
        }),
      ),
    ),
  ),
})
const upstream = object({
  name: string(),
  url: string(),
  source: described(
    'Those of the settings cannot be removed here; engine nodes (`node`) leave when they stop.',
    oneOf('settings', 'added', 'node'),
  ),
  kind: oneOf(...upstreamKinds),
  preset: described('The provider or server that it was added as.', nullable(oneOf(...upstreamPresetNames))),
  settings: editable,
  isDraining: boolean,
  state: described(
    '`paused` upstreams get no requests for a while; the last check of `failing` ones failed.',
    oneOf('active', 'draining', 'paused', 'failing'),
  ),
  pauseReason: described('Null unless it is paused.', nullable(oneOf(...pauseReasons))),
  hasKey: boolean,
  keyEnd: described('The last four characters of a long key.', nullable(string())),
  models: array(
    object({
      name: string(),
      upstreamName: string(),
      kind: oneOf(...upstreamModelKinds),
      aliases: array(string()),
      weight: decimal({ min: 0, max: 100 }),
      contextTokens: nullable(count),
      price: nullable(price),
      priceDate: described('When the price of the provider was read; null if it is not the one.', nullable(string())),
    }),
  ),
  clashes: described('Models that it does not serve, because others have their names.', array(string())),
  areModelsNamed: boolean,
  maxInFlight: described('Of each server.', count),
  limit: described(
    'How many this server sends at once for now: fewer than `maxInFlight` while it refuses some or becomes slow.',
    count,
  ),
  nodes: described('Servers of the cluster. All figures are those of all servers together.', count),
  pausedNodes: described('Servers that have paused it.', count),
  inFlight: count,
  outstandingTokens: described('Prompts and longest answers of all requests in flight.', count),
  recent: described('Of the last five minutes.', object({ requests: count, errors: count })),
  lastCheck: nullable(object({ at: time, problem })),
  lastCanary: described('Null before the first, and without canaries.', nullable(object({ at: time, problem }))),
})
export type UpstreamShown = Shape<typeof upstream>

/** Of a whole period, and of each of its slots. */
const figuresOfTime = {
  requests: count,
  errors: described('Requests that it failed, whether another upstream then answered them or not.', count),
  firstTokenMs: described('On average, after the wait for a slot; null if none was timed.', nullable(count)),
  tokensPerSecond: described(
    'After the first token; null if none was timed.',
    nullable(decimal({ min: 0, max: 1_000_000_000 })),
  ),
  costMicros: described('At the prices for callers.', count),
}
const upstreamFigures = object({
  currency: string(),
  hoursPerSlot: described('Slots are parts of the period. The last ends with the present hour.', count),
  data: array(
    object({
      upstream: string(),
      model: string(),
      ...figuresOfTime,
      promptTokens: count,
      completionTokens: count,
      slots: array(object(figuresOfTime)),
    }),
  ),
})
export type UpstreamFiguresShown = Shape<typeof upstreamFigures>

/** Of a `config.yaml`, in characters. */
const maxImportLength = 262_144
const importFile = described("LiteLLM's `config.yaml`.", string({ minLength: 1, maxLength: maxImportLength }))
/** Every character of the file may be escaped. */
const bodyLimitBytes = 2_097_152
const importPreview = object({
  upstreams: array(
    object({
      name: string(),
      url: described('Without a user name, password or query.', string()),
      models: array(string()),
      key: described(
        '`missing`: the file names an environment variable, which is not read here.',
        oneOf('given', 'missing', 'none'),
      ),
      variable: described('That of a missing key.', nullable(string())),
      problem: described('Why it cannot be added as it is, in English.', nullable(string())),
    }),
  ),
  omitted: described(
    'What cannot be taken over, and what to use instead.',
    array(
      object({
        path: string(),
        code: oneOf(...omissionCodes),
        value: described('What the sentence is about, such as the name of a variable; empty if nothing.', string()),
        reason: described('In English.', string()),
      }),
    ),
  ),
})
export type ImportPreview = Shape<typeof importPreview>

const check = object({ problem, listed: nullable(array(string())), model: nullable(string()) })
export type UpstreamCheckShown = Shape<typeof check>
export type UpstreamFault = ReturnType<typeof fault>

export const upstreamOperations = {
  listUpstreams: get('/admin/upstreams', owner, 'Lists the upstreams with their models and load.', {
    answer: object({ data: array(upstream) }),
  }),
  showUpstreamFigures: get(
    '/admin/upstreams/figures',
    owner,
    'Shows what upstreams did with each model in the last 24 hours, 7 or 30 days.',
    { query: object({ period: optional(oneOf(...upstreamPeriods)) }), answer: upstreamFigures },
  ),
  addUpstream: post('/admin/upstreams', owner, 'Adds an upstream.', {
    body: upstreamBody,
    answer: upstream,
    status: 201,
  }),
  editUpstream: post('/admin/upstreams/{name}/edit', owner, 'Changes an upstream that was added, and ends a pause.', {
    body: upstreamChanges,
    answer: upstream,
  }),
  tryUpstream: post(
    '/admin/upstreams/try',
    owner,
    'Tests an upstream before it is added, or before it is changed. Nothing is stored.',
    {
      body: object({
        edited: described('The upstream that would be changed; null: a new one.', nullable(string())),
        upstream: object({ name: optional(string()), url: optional(url), ...settings }),
      }),
      answer: check,
    },
  ),
  previewImport: post(
    '/admin/upstreams/import/preview',
    owner,
    "Reads LiteLLM's `config.yaml` into upstreams. Nothing is stored, and keys are not returned.",
    { body: object({ config: importFile }), bodyLimitBytes, answer: importPreview },
  ),
  importUpstream: post(
    '/admin/upstreams/import',
    owner,
    "Adds an upstream of LiteLLM's `config.yaml`, if it passes the test.",
    {
      body: object({
        config: importFile,
        name: described('As the preview names it.', string()),
        key: optional(described('Instead of that in the file.', nullable(string()))),
        skipsTest: optional(boolean),
      }),
      bodyLimitBytes,
      answer: object({ problem }),
    },
  ),
  testUpstream: post(
    '/admin/upstreams/{name}/test',
    owner,
    'Reads its models and generates a few tokens. One that works is not paused any longer.',
    {
      answer: check,
    },
  ),
  drainUpstream: post('/admin/upstreams/{name}/drain', owner, 'Sends it no new requests; running ones complete.', {}),
  resumeUpstream: post('/admin/upstreams/{name}/resume', owner, 'Sends it requests again, and ends a pause.', {}),
  removeUpstream: post('/admin/upstreams/{name}/remove', owner, 'Removes an upstream; running requests complete.', {}),
}

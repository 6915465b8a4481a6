import { Counter } from './counter.ts'
import { Histogram } from './histogram.ts'

/** The bounds that the GenAI conventions of OpenTelemetry recommend for each. */
const durationBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const firstTokenBounds = [
  ...[0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75],
  ...[1, 2.5, 5, 7.5, 10],
]
const perTokenBounds = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5]

export type RequestFamilies = ReturnType<typeof createRequestFamilies>

/** What is counted of requests. */
export const createRequestFamilies = () => ({
  ...createCounts(),
  ...createTimes(),
  ...createOrganisationCounts(),
})

const count = (name: string, help: string, ...labels: string[]) => new Counter({ name, help, labels })

const createCounts = () => ({
  requests: count(
    'helix_requests',
    'Admitted requests that have ended, by their outcome.',
    ...['endpoint', 'model', 'outcome'],
  ),
  admitted: count(
    'helix_admitted_requests',
    'Requests that were admitted, whether they have ended or not.',
    'endpoint',
  ),
  replays: count(
    'helix_replayed_answers',
    'Answers that were sent again to a retry: whole (replay), or from where a stream was cut (resume).',
    'kind',
  ),
  cacheLookups: count(
    'helix_cache_lookups',
    'Requests whose answer was looked for in the answer cache, by the result: hit or miss.',
    'result',
  ),
  errors: count(
    'helix_request_errors',
    'Admitted requests that ended with an error, by its name in the list of errors.',
    ...['endpoint', 'error'],
  ),
  refused: count(
    'helix_refused_requests',
    'Requests that were refused before they were admitted, by the error and the limit that refused them.',
    ...['endpoint', 'error', 'limit', 'scope'],
  ),
  promptTokens: count('helix_prompt_tokens', 'Prompt tokens of requests that have ended.', 'model'),
  cachedTokens: count('helix_cached_prompt_tokens', 'Prompt tokens that were found in the cache.', 'model'),
  completionTokens: count('helix_generation_tokens', 'Tokens of answers that were delivered.', 'model'),
  reasoningTokens: count('helix_reasoning_tokens', 'Delivered tokens that were reasoning.', 'model'),
  cost: count('helix_cost', 'What requests cost, in units of the currency of the settings.', 'model'),
  pauses: count('helix_pauses', 'How often answers were paused because others had their turn.', 'model'),
  pausedSeconds: count('helix_paused_seconds', 'How long answers were paused because others had their turn.', 'model'),
  upstreamRetries: count(
    'helix_upstream_retries',
    'Requests that were sent to another upstream because one had failed.',
    'model',
  ),
  continued: count('helix_continued_answers', 'Answers that one upstream began and another continued.', 'model'),
})

const time = (name: string, help: string, bounds: readonly number[], ...labels: string[]) =>
  new Histogram({ name, help, bounds, labels })
const conventional = ['gen_ai_operation_name', 'gen_ai_request_model']

const createTimes = () => ({
  duration: time(
    'gen_ai_server_request_duration_seconds',
    'From the arrival of a request to the end of its answer.',
    durationBounds,
    ...conventional,
  ),
  firstToken: time(
    'gen_ai_server_time_to_first_token_seconds',
    'From the arrival of a request to the first token of its answer.',
    firstTokenBounds,
    ...conventional,
  ),
  perToken: time(
    'gen_ai_server_time_per_output_token_seconds',
    'Between two tokens of a stream of at least 20 tokens and 200 ms after the first, on average over the stream.',
    perTokenBounds,
    ...conventional,
  ),
  queue: time('helix_request_queue_time_seconds', 'How long requests waited for a slot.', firstTokenBounds, 'model'),
})

const createOrganisationCounts = () => ({
  organisationRequests: count(
    'helix_organisation_requests',
    'Admitted requests of the organisations in the setting metricsOrganisations.',
    'organisation',
  ),
  organisationTokens: count(
    'helix_organisation_tokens',
    'Prompt and completion tokens of these organisations.',
    'organisation',
  ),
  organisationCost: count('helix_organisation_cost', 'What the requests of these organisations cost.', 'organisation'),
})

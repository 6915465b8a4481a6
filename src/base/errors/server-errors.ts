import type { ErrorRow } from './error-row.ts'

/** Errors of the server itself, its engine and the upstream. */
export const serverErrors = {
  hook_failed: {
    status: 503,
    code: 'hook_failed',
    message: "The policy '{hook}' of this server could not be checked. Try again.",
  },
  internal_error: {
    status: 500,
    code: 'internal_error',
    message:
      'The server had an error while processing your request. Include the request ID {requestId} when you report this error.',
  },
  store_unavailable: {
    status: 503,
    code: 'store_unavailable',
    message: "The server's database is not available at the moment. Try again shortly.",
  },
  engine_failed: {
    status: 500,
    code: 'engine_failed',
    message: 'The model stopped unexpectedly while generating the response. Your request is valid; try again.',
  },
  upstream_refused: {
    status: 400,
    code: 'upstream_refused',
    message: 'The upstream inference engine rejected the request: {reason}',
  },
  upstream_context_exceeded: { status: 400, code: 'context_length_exceeded', message: '{reason}' },
  upstream_busy: {
    status: 503,
    code: 'upstream_busy',
    message: 'The upstream inference engine is overloaded or still starting. Try again shortly.',
  },
  upstream_failed: {
    status: 502,
    code: 'upstream_failed',
    message: 'The upstream inference engine returned an invalid response or did not respond. Try again.',
  },
  engine_loading: { status: 503, code: 'engine_loading', message: 'The model is still loading. Try again shortly.' },
  model_unavailable: {
    status: 503,
    code: 'model_unavailable',
    message: 'The model `{model}` cannot be loaded. The server log contains the reason.',
  },
  model_drained: {
    status: 503,
    code: 'model_drained',
    message:
      'The model `{model}` accepts no new requests at the moment, because all of its upstreams are being drained.',
  },
  model_without_engine: {
    status: 503,
    code: 'model_without_engine',
    message: 'No engine node serves the model `{model}` at the moment. Try again shortly.',
  },
  upstream_not_found: { status: 404, code: 'upstream_not_found', message: 'There is no upstream `{name}`.' },
  upstream_exists: { status: 409, code: 'upstream_exists', message: 'There is already an upstream `{name}`.' },
  upstream_in_settings: {
    status: 409,
    code: 'upstream_in_settings',
    message: 'The upstream `{name}` is defined in the settings. To change or remove it, change the settings.',
  },
  upstream_is_node: {
    status: 409,
    code: 'upstream_is_node',
    message: '`{name}` is an engine node. It leaves the list when it is stopped on its machine.',
  },
  invalid_setting: { status: 400, code: 'invalid_setting', message: '{reason}' },
  setting_fixed: {
    status: 409,
    code: 'setting_fixed',
    message: 'The setting `{name}` is set by {place}. Change it there and restart the server.',
  },
  setting_needs_restart: {
    status: 409,
    code: 'setting_needs_restart',
    message:
      'The setting `{name}` cannot be changed while the server runs. Change it where it is set and restart the server.',
  },
  invalid_upstream: { status: 400, code: 'invalid_upstream', message: '{reason}' },
  model_memory_short: {
    status: 503,
    code: 'model_memory_short',
    message: 'There is not enough memory to load the model `{model}` while other models are in use. Try again shortly.',
  },
  invalid_model: { status: 400, code: 'invalid_model', message: '{reason}' },
  model_in_settings: {
    status: 409,
    code: 'model_in_settings',
    message:
      'The model `{name}` is defined in the settings or by an upstream. To change or remove it, change it there.',
  },
  model_hub_failed: { status: 502, code: 'model_hub_failed', message: '{reason}' },
  model_list_invalid: { status: 409, code: 'model_list_invalid', message: '{reason}' },
  body_memory_full: {
    status: 503,
    code: 'body_memory_full',
    message: 'The server is overloaded: the memory reserved for request bodies is full. Try again shortly.',
  },
  body_memory_share: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Too much data is being sent at once: the request bodies in progress for one organisation or one address are limited to {limitBytes} bytes in total. Please try again when some of those requests have finished.',
  },
  queue_full: {
    status: 503,
    code: 'queue_full',
    message: 'The server is overloaded: the request queue is full. Try again shortly.',
  },
  queue_timeout: {
    status: 503,
    code: 'queue_timeout',
    message: 'The server is overloaded: the wait in the queue is too long. Try again shortly.',
  },
  answer_memory_full: {
    status: 503,
    code: 'answer_memory_full',
    message:
      'Other responses with log probabilities of prompts take all the memory for them. Try again shortly, or use streaming.',
  },
  schema_compiler_busy: {
    status: 503,
    code: 'schema_compiler_busy',
    message: 'Too many schemas are waiting to be compiled. Try again shortly.',
  },
  node_not_registered: {
    status: 503,
    code: 'node_not_registered',
    message: 'This node is not registered as a server of the cluster at the moment. Try again shortly.',
  },
  node_lease_expired: {
    status: 503,
    code: 'node_lease_expired',
    message: 'The node that was generating this response stopped or was cut off for too long. Try again.',
  },
  shutting_down: {
    status: 503,
    code: 'shutting_down',
    message: 'The server is stopping or restarting. Try again shortly.',
  },
  generation_timeout: {
    status: 504,
    code: 'generation_timeout',
    message: 'The response took longer than the limit of {limitMs} ms to generate. Request a shorter response.',
  },
} as const satisfies Record<string, ErrorRow>

/**
 * Every error a caller can meet, in one place: its status, its type and code on the wire, and its public message.
 * `docs/errors.md` is checked against this table. What only the operator may see travels in `cause`, never in the message.
 */
export const errorCatalogue = {
  missing_api_key: {
    status: 401,
    code: null,
    message:
      "You didn't provide an API key. Send it in the Authorization header as `Authorization: Bearer YOUR_KEY`. To create a key, run `helix keys create`.",
  },
  incorrect_api_key: {
    status: 401,
    code: 'invalid_api_key',
    message: 'Incorrect API key provided: {key}. To list the keys on this server, run `helix keys list`.',
  },
  revoked_api_key: { status: 401, code: 'invalid_api_key', message: 'API key {key} has been revoked.' },
  expired_api_key: { status: 401, code: 'invalid_api_key', message: 'API key {key} has expired.' },
  rotated_api_key: {
    status: 401,
    code: 'invalid_api_key',
    message: 'API key {key} was rotated and its grace period has ended. Use the new secret.',
  },

  missing_scope: {
    status: 403,
    code: 'missing_scope',
    message: "This API key does not have the required scope '{scope}'.",
  },
  network_not_allowed: {
    status: 403,
    code: 'network_not_allowed',
    message: 'This API key cannot be used from the address {address}.',
  },
  model_not_allowed: {
    status: 403,
    code: 'model_not_allowed',
    message: 'This API key does not have access to the model `{model}`.',
  },

  rate_limit_requests: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for {model} {place} on requests per min (RPM): Limit {limit}, Used {used}, Requested 1. Please try again in {wait}.',
  },
  rate_limit_tokens: {
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for {model} {place} on {period}: Limit {limit}, Used {used}, Requested {requested}. Please try again in {wait}.',
  },
  rate_limit_in_flight: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for {model} {place} on requests in flight: Limit {limit}, Used {used}, Requested 1. Please try again when one of them has finished.',
  },
  too_many_refused: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Too many requests from {whose} were rejected in the last minute: Limit {limit}. Check the errors returned for those requests. Please try again in {wait}.',
  },
  request_above_rate_limit: {
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message:
      'Request too large for {model} {place} on {period}: Limit {limit}, Requested {requested} ({promptTokens} in the messages, up to {completionTokens} in the answer). Lower max_completion_tokens, n or the length of the messages.',
  },
  insufficient_quota: {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message:
      'You exceeded your current quota. This request exceeds the tokens-per-{period} budget of {scope}: Limit {limit}, Used {used}, Requested {requested}. It resets at {reset}.',
  },
  invalid_idempotency_key: {
    status: 400,
    code: 'invalid_idempotency_key',
    message: 'The Idempotency-Key header must be sent only once and contain 1 to 255 printable ASCII characters.',
  },
  idempotency_key_reuse: {
    status: 409,
    code: 'idempotency_key_reuse',
    message: 'This Idempotency-Key has already been used with a different request body. Use a new key.',
  },
  stream_not_resumable: {
    status: 409,
    code: 'stream_not_resumable',
    message:
      'No stream can be resumed from this Last-Event-ID. Send the request again without the header to receive the response from the beginning.',
  },
  answer_not_kept: {
    status: 409,
    code: 'answer_not_kept',
    message:
      'The request with this Idempotency-Key was completed, but its response was too long to store and cannot be replayed. To generate a new response, which is billed separately, use a new key.',
  },
  replay_buffer_full: {
    status: 503,
    code: 'replay_buffer_full',
    message:
      'Storage for requests with an Idempotency-Key is full. Try again later, or send the request without the header.',
  },
  ledger_unavailable: {
    status: 503,
    code: 'ledger_unavailable',
    message: 'Usage cannot be recorded right now, so new requests are not accepted. Try again shortly.',
  },
  backup_failed: { status: 500, code: 'backup_failed', message: 'The backup failed. {reason}' },
  organisation_not_found: { status: 404, code: 'not_found', message: "No organisation found with ID '{id}'." },

  not_signed_in: {
    status: 401,
    code: 'not_signed_in',
    message: 'You are not signed in, or your session has expired. Sign in and try again.',
  },
  wrong_credentials: {
    status: 401,
    code: 'wrong_credentials',
    message: 'Incorrect email or password. Check both and try again, or reset your password.',
  },
  wrong_code: {
    status: 400,
    code: 'wrong_code',
    message:
      'The code is incorrect, has expired or has already been used. Enter the next code shown in your authenticator app.',
  },
  second_step_over: {
    status: 400,
    code: 'second_step_over',
    message: 'This sign-in has expired, has already been completed or had too many incorrect codes. Start again.',
  },
  second_factor_needed: {
    status: 403,
    code: 'second_factor_needed',
    message:
      'This organisation requires two-factor authentication. Set it up in your settings, or sign in with a passkey.',
  },
  second_factor_on: { status: 409, code: 'second_factor_on', message: 'Two-factor authentication is already enabled.' },
  second_factor_off: { status: 409, code: 'second_factor_off', message: 'Two-factor authentication is not enabled.' },
  invalid_passkey: {
    status: 400,
    code: 'invalid_passkey',
    message: 'The passkey is not registered here or could not be verified. Try again, or use another sign-in method.',
  },
  passkeys_unavailable: {
    status: 409,
    code: 'passkeys_unavailable',
    message: 'Passkeys require HTTPS with a host name, or localhost. They are not available at this address.',
  },
  too_many_passkeys: {
    status: 409,
    code: 'too_many_passkeys',
    message: 'An account can have at most {limit} passkeys. Remove one first.',
  },
  last_way_in: {
    status: 409,
    code: 'last_way_in',
    message: 'This is the only sign-in method for the account. Set a password or add another sign-in method first.',
  },
  provider_not_found: { status: 404, code: 'not_found', message: "No sign-in provider named '{id}' is configured." },
  provider_failed: {
    status: 502,
    code: 'provider_failed',
    message:
      '{name} returned an invalid response or did not respond. You were not signed in, and nothing was changed. Try again, or use another sign-in method.',
  },
  provider_denied: {
    status: 403,
    code: 'provider_denied',
    message: '{name} denied the sign-in. Nothing was changed.',
  },
  provider_state_mismatch: {
    status: 400,
    code: 'provider_state_mismatch',
    message: 'This sign-in was started in another browser, has expired or has already been completed. Start again.',
  },
  identity_without_email: {
    status: 409,
    code: 'identity_without_email',
    message:
      '{name} did not provide an email address, which an account requires. Allow {name} to share it, or sign up with a password.',
  },
  identity_email_taken: {
    status: 409,
    code: 'identity_email_taken',
    message:
      'An account with this email already exists, but the email is not verified both here and at {name}. Sign in with your existing method, then connect {name} in your settings.',
  },
  identity_taken: {
    status: 409,
    code: 'identity_taken',
    message: 'This {name} account is already connected to a different account on this server.',
  },
  identity_another: {
    status: 409,
    code: 'identity_another',
    message: 'Your account is already connected to a different {name} account. Disconnect that one first.',
  },
  identity_not_found: { status: 404, code: 'not_found', message: "No connected account found with ID '{id}'." },
  passkey_not_found: { status: 404, code: 'not_found', message: "No passkey found with ID '{id}'." },
  confirmation_needed: {
    status: 403,
    code: 'confirmation_needed',
    message: 'Confirm your identity to continue. Your last confirmation was more than ten minutes ago.',
  },
  wrong_password: { status: 400, code: 'wrong_password', message: 'Incorrect password.' },
  cross_site: {
    status: 403,
    code: 'cross_site',
    message:
      'The request did not come from a page on this server, or its token has expired. Reload the page and try again.',
  },
  owner_only: { status: 403, code: 'owner_only', message: 'Only the owner of this server can do this.' },
  role_too_low: {
    status: 403,
    code: 'role_too_low',
    message: 'Your role in this organisation does not allow this. It requires the role {role} or higher.',
  },
  account_suspended: {
    status: 403,
    code: 'account_suspended',
    message: 'This account is suspended. Contact the owner of this server.',
  },
  organisation_suspended: {
    status: 403,
    code: 'organisation_suspended',
    message: 'This organisation is suspended. Contact the owner of this server.',
  },
  key_suspended: {
    status: 403,
    code: 'key_suspended',
    message: 'This API key is suspended. Contact the owner of this server.',
  },
  owner_not_suspendable: {
    status: 409,
    code: 'owner_not_suspendable',
    message: 'The owner of this server cannot be suspended.',
  },
  organisation_switched: {
    status: 409,
    code: 'organisation_switched',
    message: 'You switched to a different organisation in another tab or window. Nothing was changed.',
  },
  changed_meanwhile: {
    status: 409,
    code: 'changed_meanwhile',
    message:
      "Someone else changed this to '{now}' in the meantime. Your change was not saved. Review the current value and try again.",
  },
  limits_changed: {
    status: 409,
    code: 'limits_changed',
    message:
      'Someone else changed these limits in the meantime. Your change was not saved. Review the current limits and try again.',
  },
  last_organisation_owner: {
    status: 409,
    code: 'last_organisation_owner',
    message: 'You are the last owner of this organisation. Transfer ownership first, or delete the organisation.',
  },
  too_many_organisations: {
    status: 409,
    code: 'too_many_organisations',
    message: 'An account can own at most {limit} organisations on this server.',
  },
  too_many_invitations: {
    status: 409,
    code: 'too_many_invitations',
    message: 'An organisation can have at most {limit} pending invitations. Withdraw one first.',
  },
  already_member: { status: 409, code: 'already_member', message: 'You are already a member of this organisation.' },
  invitation_expired: {
    status: 410,
    code: 'invitation_expired',
    message: 'This invitation has expired. Ask the person who invited you for a new one.',
  },
  invitation_used: { status: 410, code: 'invitation_used', message: 'This invitation has already been accepted.' },
  invitation_withdrawn: {
    status: 410,
    code: 'invitation_withdrawn',
    message: 'This invitation was withdrawn. Ask the person who invited you for a new one.',
  },
  too_many_attempts: {
    status: 429,
    code: 'too_many_attempts',
    message: 'Too many attempts. Try again later.',
  },
  too_many_lines: {
    status: 429,
    code: 'too_many_lines',
    message:
      'At most {limit} pages can follow the request log of an organisation live at the same time. Close one of them, or reload the list for the latest requests.',
  },
  sign_in_busy: {
    status: 503,
    code: 'sign_in_busy',
    message: 'Too many people are signing in right now. Try again shortly.',
  },
  sign_up_closed: { status: 403, code: 'sign_up_closed', message: 'This server does not accept new accounts.' },
  invitation_needed: {
    status: 403,
    code: 'invitation_needed',
    message: 'New accounts require an invitation. Ask the owner of this server for one.',
  },
  invalid_link: {
    status: 400,
    code: 'invalid_link',
    message: 'The link is invalid, has expired or has already been used. Request a new one.',
  },
  invalid_email: { status: 400, code: 'invalid_email', message: 'Enter a valid email address.' },
  email_taken: { status: 409, code: 'email_taken', message: 'An account with this email already exists.' },
  weak_password: {
    status: 400,
    code: 'weak_password',
    message: 'Choose a different password ({reason}): {advice}.',
  },
  last_owner: {
    status: 409,
    code: 'last_owner',
    message: 'The last owner of a server cannot delete their account while other accounts exist.',
  },
  mail_not_configured: {
    status: 409,
    code: 'mail_not_configured',
    message: 'Email is not set up on this server. Ask the owner of this server for a link.',
  },
  confirmation_mismatch: {
    status: 400,
    code: 'confirmation_mismatch',
    message: 'The text you entered does not match the name.',
  },
  key_inactive: {
    status: 409,
    code: 'key_inactive',
    message: "The key '{id}' {reason}.",
  },
  management_key_protected: {
    status: 403,
    code: 'management_key_protected',
    message:
      'A management key cannot create or change other management keys; it can only rotate or revoke itself. Use the site or the command line.',
  },
  key_not_found: { status: 404, code: 'not_found', message: "No API key found with ID '{id}'." },
  request_not_found: { status: 404, code: 'not_found', message: "No request found with ID '{id}'." },
  session_not_found: { status: 404, code: 'not_found', message: "No session found with ID '{id}'." },
  member_not_found: { status: 404, code: 'not_found', message: "No member of this organisation found with ID '{id}'." },
  invitation_not_found: {
    status: 404,
    code: 'not_found',
    message: "No pending invitation found with ID '{id}'.",
  },
  account_not_found: { status: 404, code: 'not_found', message: 'No account found with this email.' },

  malformed_http: { status: 400, code: null, message: 'The request is not valid HTTP.' },
  unknown_url: { status: 404, code: 'unknown_url', message: 'Invalid URL ({method} {path})' },
  method_not_supported: {
    status: 405,
    code: 'method_not_supported',
    message: 'Method {method} is not supported for {path}. Supported: {allowed}.',
  },
  unsupported_content_type: {
    status: 400,
    code: 'unsupported_content_type',
    message: "Unsupported Content-Type: '{contentType}'. Only 'application/json' is accepted.",
  },
  unsupported_content_encoding: {
    status: 415,
    code: 'unsupported_content_encoding',
    message: "Unsupported Content-Encoding: '{encoding}'. Send the body uncompressed.",
  },
  expectation_failed: {
    status: 417,
    code: 'expectation_failed',
    message: "Unsupported Expect header: '{expectation}'.",
  },
  request_too_large: {
    status: 413,
    code: 'request_too_large',
    message: 'The request body exceeds the limit of {limitBytes} bytes.',
  },
  headers_too_large: { status: 431, code: 'headers_too_large', message: 'The request headers are too large.' },
  request_timeout: { status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' },

  invalid_json: {
    status: 400,
    code: null,
    message:
      'We could not parse the JSON body of your request. ({reason}) The body must be one JSON object in UTF-8, with special characters escaped.',
  },
  missing_model: { status: 400, code: null, message: 'you must provide a model parameter' },
  model_not_found: {
    status: 404,
    code: 'model_not_found',
    message: 'The model `{model}` does not exist or you do not have access to it.',
  },
  completion_not_found: {
    status: 404,
    code: 'not_found',
    message: "No stored chat completion found with ID '{id}'.",
  },
  missing_required_parameter: {
    status: 400,
    code: 'missing_required_parameter',
    message: "Missing required parameter: '{path}'.",
  },
  empty_array: {
    status: 400,
    code: 'empty_array',
    message:
      "Invalid '{path}': empty array. Expected an array with minimum length {minimum}, but got an empty array instead.",
  },
  empty_string: {
    status: 400,
    code: 'empty_string',
    message:
      "Invalid '{path}': empty string. Expected a string with minimum length 1, but got an empty string instead.",
  },
  array_above_max_length: {
    status: 400,
    code: 'array_above_max_length',
    message:
      "Invalid '{path}': array too long. Expected an array with maximum length {maximum}, but got an array with length {length} instead.",
  },
  string_above_max_length: {
    status: 400,
    code: 'string_above_max_length',
    message:
      "Invalid '{path}': string too long. Expected a string with maximum length {maximum}, but got a string with length {length} instead.",
  },
  invalid_type: {
    status: 400,
    code: 'invalid_type',
    message: "Invalid type for '{path}': expected {expected}, but got {actual} instead.",
  },
  invalid_value: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid value: '{value}'. Supported values are: {supported}.",
  },
  refused_value: { status: 400, code: 'invalid_value', message: "Invalid value for '{path}': {reason}." },
  pattern_mismatch: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid '{path}': string does not match pattern. Expected a string that matches the pattern '{pattern}'.",
  },
  object_above_max_properties: {
    status: 400,
    code: 'object_above_max_properties',
    message:
      "Invalid '{path}': too many properties. Expected an object with at most {maximum} properties, but got an object with {count} properties instead.",
  },
  key_above_max_length: {
    status: 400,
    code: 'string_above_max_length',
    message: "Invalid key in '{path}': '{key}'. Expected a key with maximum length {maximum}.",
  },
  invalid_token_id: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid key in '{path}': {id}. Expected the ID of a token in the vocabulary of the model.",
  },
  decimal_above_max_value: {
    status: 400,
    code: 'decimal_above_max_value',
    message: "Invalid '{path}': decimal above maximum value. Expected a value <= {maximum}, but got {value} instead.",
  },
  decimal_below_min_value: {
    status: 400,
    code: 'decimal_below_min_value',
    message: "Invalid '{path}': decimal below minimum value. Expected a value >= {minimum}, but got {value} instead.",
  },
  integer_above_max_value: {
    status: 400,
    code: 'integer_above_max_value',
    message: "Invalid '{path}': integer above maximum value. Expected a value <= {maximum}, but got {value} instead.",
  },
  integer_below_min_value: {
    status: 400,
    code: 'integer_below_min_value',
    message: "Invalid '{path}': integer below minimum value. Expected a value >= {minimum}, but got {value} instead.",
  },
  unrecognized_argument: {
    status: 400,
    code: null,
    message: 'Unrecognized request argument{s} supplied: {names}',
  },
  unknown_parameter: { status: 400, code: 'unknown_parameter', message: "Unknown parameter: '{path}'." },
  unsupported_parameter: {
    status: 400,
    code: 'unsupported_parameter',
    message: "Unsupported parameter: '{path}' is not supported with this model.",
  },
  unsupported_value: {
    status: 400,
    code: 'unsupported_value',
    message: "Unsupported value: '{path}' does not support '{value}' with this model.",
  },
  conflicting_token_limits: {
    status: 400,
    code: 'invalid_value',
    message: "Set only one of 'max_tokens' and 'max_completion_tokens'.",
  },
  stream_options_without_stream: {
    status: 400,
    code: null,
    message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  },
  assistant_without_content: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid value for '{path}': expected a string or an array of parts, but got null.",
  },
  unexpected_tool_message: {
    status: 400,
    code: null,
    message:
      "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
  },
  unknown_tool_call_id: {
    status: 400,
    code: null,
    message: "Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.",
  },
  unanswered_tool_calls: {
    status: 400,
    code: null,
    message:
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {ids}",
  },
  duplicate_function: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid value: two functions have the name '{name}'. Function names must be unique.",
  },
  unknown_function: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid value for '{param}': no function named '{name}' was specified in the tools.",
  },
  choice_without_tools: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid value for '{field}': '{field}' is only allowed when '{list}' are specified.",
  },
  functions_beside_tools: {
    status: 400,
    code: 'invalid_value',
    message:
      "'functions' and 'function_call' are deprecated in favour of 'tools' and 'tool_choice' and cannot be combined with them.",
  },
  invalid_function_parameters: {
    status: 400,
    code: 'invalid_function_parameters',
    message: "Invalid schema for function '{name}': {reason}",
  },
  invalid_schema: { status: 400, code: null, message: 'Invalid schema for {place}: {reason}' },
  schema_too_complex: {
    status: 400,
    code: 'schema_too_complex',
    message: "The schema in '{param}' is too complex: {reason}. Simplify the schema.",
  },
  conflicting_formats: {
    status: 400,
    code: 'invalid_value',
    message: 'Only one output format can be specified. Remove all but one of them.',
  },
  missing_json_word: {
    status: 400,
    code: null,
    message: "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
  },
  top_logprobs_without_logprobs: {
    status: 400,
    code: 'invalid_value',
    message: "'top_logprobs' is only allowed when 'logprobs' is true.",
  },
  conflicting_openings: {
    status: 400,
    code: 'invalid_value',
    message: "'continue_final_message' and 'add_generation_prompt' cannot both be true.",
  },
  answer_too_large: {
    status: 400,
    code: 'answer_too_large',
    message:
      'The response exceeded the limit of {limitBytes} bytes. Request fewer choices, tokens or top_logprobs, or use streaming.',
  },
  template_refused: {
    status: 400,
    code: 'invalid_value',
    message: 'The chat template of the model rejected these messages: {reason}',
  },
  context_length_exceeded: {
    status: 400,
    code: 'context_length_exceeded',
    message:
      "This model's maximum context length is {contextTokens} tokens. However, your messages resulted in {promptTokens} tokens. Please reduce the length of the messages.",
  },
  context_length_requested: {
    status: 400,
    code: 'context_length_exceeded',
    message:
      "This model's maximum context length is {contextTokens} tokens. However, you requested {totalTokens} tokens ({promptTokens} in the messages, {completionTokens} in the completion). Please reduce the length of the messages or completion.",
  },

  internal_error: {
    status: 500,
    code: 'internal_error',
    message:
      'The server had an error while processing your request. Include the request ID {requestId} when you report this error.',
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
    message: 'The server is overloaded: the request waited too long in the queue. Try again shortly.',
  },
  schema_compiler_busy: {
    status: 503,
    code: 'schema_compiler_busy',
    message: 'Too many schemas are waiting to be compiled. Try again shortly.',
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
} as const satisfies Record<string, { status: number; code: string | null; message: string; type?: string }>

export type ErrorName = keyof typeof errorCatalogue

type Placeholders<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
type Values<Name extends ErrorName> = Record<Placeholders<(typeof errorCatalogue)[Name]['message']>, string | number>

export type ErrorOptions = {
  /** The place in the request that is wrong, as the wire's `param`. */
  param?: string
  /** After this time the same request may succeed. */
  retryAfterMs?: number
  /** Tells clients to retry or not, whatever the status says. */
  shouldRetry?: boolean
  /** Further response headers, such as `allow`. */
  headers?: Record<string, string>
  /** The reason behind it, for the log only. */
  cause?: unknown
}

/** An error on its way from one thread to another; its cause stays behind. */
export type PlainError = { name: ErrorName; message: string; options: Omit<ErrorOptions, 'cause'> }

/** A failure with a designed answer. Anything else that is thrown becomes `internal_error`. */
export class ApiError extends Error {
  readonly errorName: ErrorName
  readonly options: ErrorOptions

  private constructor(errorName: ErrorName, message: string, options: ErrorOptions) {
    super(message, { cause: options.cause })
    this.errorName = errorName
    this.options = options
  }

  static of<Name extends ErrorName>(name: Name, values: Values<Name>, options: ErrorOptions = {}): ApiError {
    return new ApiError(name, fill(errorCatalogue[name].message, values), options)
  }

  toPlain(): PlainError {
    const { cause: _, ...options } = this.options
    return { name: this.errorName, message: this.message, options }
  }

  static fromPlain({ name, message, options }: PlainError): ApiError {
    return new ApiError(name, message, options)
  }

  get status(): number {
    return errorCatalogue[this.errorName].status
  }

  get code(): string | null {
    return errorCatalogue[this.errorName].code
  }

  get type(): string {
    return errorType(this.errorName)
  }
}

/** The wire's `type`: whose fault it is. */
export const errorType = (name: ErrorName): string => {
  const entry = errorCatalogue[name]
  if ('type' in entry) return entry.type
  return entry.status >= 500 ? 'server_error' : 'invalid_request_error'
}

const fill = (message: string, values: Record<string, string | number>): string =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

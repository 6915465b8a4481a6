/**
 * Every error a caller can meet, in one place: its status, its type and code on the wire, and its public message.
 * `docs/errors.md` is checked against this table. What only the operator may see travels in `cause`, never in the message.
 */
export const errorCatalogue = {
  missing_api_key: {
    status: 401,
    code: null,
    message:
      "You didn't provide an API key. Send it in the Authorization header as `Authorization: Bearer YOUR_KEY`; `helix keys create` makes one.",
  },
  incorrect_api_key: {
    status: 401,
    code: 'invalid_api_key',
    message: 'Incorrect API key provided: {key}. `helix keys list` shows the keys of this service.',
  },
  revoked_api_key: { status: 401, code: 'invalid_api_key', message: 'The API key {key} was revoked.' },
  expired_api_key: { status: 401, code: 'invalid_api_key', message: 'The API key {key} has expired.' },
  rotated_api_key: {
    status: 401,
    code: 'invalid_api_key',
    message: 'The API key {key} was rotated and its time is over: use the secret that took its place.',
  },

  missing_scope: {
    status: 403,
    code: 'missing_scope',
    message: "This API key may not do this: it lacks the scope '{scope}'.",
  },
  network_not_allowed: {
    status: 403,
    code: 'network_not_allowed',
    message: 'This API key may not be used from the address {address}.',
  },
  model_not_allowed: {
    status: 403,
    code: 'model_not_allowed',
    message: 'This API key may not use the model `{model}`.',
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
      'Rate limit reached for {model} {place} on requests in flight: Limit {limit}, Used {used}, Requested 1. Please try again when one of them has ended.',
  },
  too_many_refused: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Too many requests of {whose} were refused in the last minute: Limit {limit}. Their errors say what to change. Please try again in {wait}.',
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
      'You exceeded your current quota. The token budget of {scope} for a {period} does not allow this request: Limit {limit}, Used {used}, Requested {requested}. It starts anew at {reset}.',
  },
  invalid_idempotency_key: {
    status: 400,
    code: 'invalid_idempotency_key',
    message: 'The Idempotency-Key must be sent once and have 1 to 255 printable ASCII characters.',
  },
  idempotency_key_reuse: {
    status: 409,
    code: 'idempotency_key_reuse',
    message: 'This Idempotency-Key was used with another request body before. Choose a new one.',
  },
  stream_not_resumable: {
    status: 409,
    code: 'stream_not_resumable',
    message:
      'There is no answer that could go on behind this Last-Event-ID. Send the request again without it, to get an answer from its beginning.',
  },
  answer_not_kept: {
    status: 409,
    code: 'answer_not_kept',
    message:
      'An answer was given under this Idempotency-Key, but it was too long to be kept and cannot be told again. Use a new key to have another one made, and billed.',
  },
  replay_buffer_full: {
    status: 503,
    code: 'replay_buffer_full',
    message:
      'The room for answers with an Idempotency-Key is used up. Try again later, or send the request without one.',
  },
  ledger_unavailable: {
    status: 503,
    code: 'ledger_unavailable',
    message: 'The service cannot write its books at the moment, so it starts no new answers. Try again shortly.',
  },
  backup_failed: { status: 500, code: 'backup_failed', message: 'The backup failed. {reason}' },
  organisation_not_found: { status: 404, code: 'not_found', message: "There is no organisation with the id '{id}'." },

  not_signed_in: {
    status: 401,
    code: 'not_signed_in',
    message: 'You are not signed in, or the session is over. Sign in and send it again.',
  },
  wrong_credentials: {
    status: 401,
    code: 'wrong_credentials',
    message: 'Email and password do not belong together. Check both, or reset the password.',
  },
  wrong_code: {
    status: 400,
    code: 'wrong_code',
    message: 'The code is wrong, was used before or is out of date. Take the next one that the app shows.',
  },
  second_step_over: {
    status: 400,
    code: 'second_step_over',
    message: 'This sign-in took too long, had too many wrong codes or is done. Begin it again.',
  },
  second_factor_needed: {
    status: 403,
    code: 'second_factor_needed',
    message: 'This organisation asks for two-factor sign-in. Set it up in the settings, or sign in with a passkey.',
  },
  second_factor_on: { status: 409, code: 'second_factor_on', message: 'Two-factor sign-in is on already.' },
  second_factor_off: { status: 409, code: 'second_factor_off', message: 'Two-factor sign-in is not on.' },
  invalid_passkey: {
    status: 400,
    code: 'invalid_passkey',
    message: 'This passkey is not known here, or it answered another question. Try again, or sign in another way.',
  },
  passkeys_unavailable: {
    status: 409,
    code: 'passkeys_unavailable',
    message: 'Passkeys need a host name and HTTPS, or localhost: this address has none.',
  },
  too_many_passkeys: {
    status: 409,
    code: 'too_many_passkeys',
    message: 'An account has at most {limit} passkeys. Remove one first.',
  },
  last_way_in: {
    status: 409,
    code: 'last_way_in',
    message: 'This is the only way to sign in to the account. Set a password or add another way first.',
  },
  provider_not_found: { status: 404, code: 'not_found', message: "There is no sign-in by the name '{id}' here." },
  provider_failed: {
    status: 502,
    code: 'provider_failed',
    message:
      '{name} did not answer properly. Nobody was signed in and nothing was changed: try again, or sign in another way.',
  },
  provider_denied: {
    status: 403,
    code: 'provider_denied',
    message: 'The sign-in was not allowed at {name}. Nothing was changed.',
  },
  provider_state_mismatch: {
    status: 400,
    code: 'provider_state_mismatch',
    message: 'This sign-in was begun in another browser, took too long or is done. Begin it again.',
  },
  identity_without_email: {
    status: 409,
    code: 'identity_without_email',
    message: '{name} told no email address, and an account needs one. Allow it there, or sign up with a password.',
  },
  identity_email_taken: {
    status: 409,
    code: 'identity_email_taken',
    message:
      'There is an account with this email, but the email is not verified on both sides. Sign in as before and connect {name} in the settings.',
  },
  identity_taken: {
    status: 409,
    code: 'identity_taken',
    message: 'This account at {name} is connected to another account here.',
  },
  identity_another: {
    status: 409,
    code: 'identity_another',
    message: 'The account is connected to another account at {name}. Disconnect that one first.',
  },
  identity_not_found: { status: 404, code: 'not_found', message: "There is no connection with the id '{id}'." },
  passkey_not_found: { status: 404, code: 'not_found', message: "There is no passkey with the id '{id}'." },
  confirmation_needed: {
    status: 403,
    code: 'confirmation_needed',
    message: 'Confirm first that it is you: it has been more than ten minutes.',
  },
  wrong_password: { status: 400, code: 'wrong_password', message: 'This is not the password of the account.' },
  cross_site: {
    status: 403,
    code: 'cross_site',
    message: 'The request did not come from a page of this server, or its token is old. Load the page again.',
  },
  owner_only: { status: 403, code: 'owner_only', message: 'Only the owner of this server may do this.' },
  role_too_low: {
    status: 403,
    code: 'role_too_low',
    message: 'Your role in this organisation does not allow this: it takes at least the role {role}.',
  },
  account_suspended: {
    status: 403,
    code: 'account_suspended',
    message: 'This account is suspended. The owner of this server can tell you more.',
  },
  organisation_suspended: {
    status: 403,
    code: 'organisation_suspended',
    message: 'This organisation is suspended. The owner of this server can tell you more.',
  },
  key_suspended: {
    status: 403,
    code: 'key_suspended',
    message: 'This API key is suspended. The owner of this server can tell you more.',
  },
  owner_not_suspendable: {
    status: 409,
    code: 'owner_not_suspendable',
    message: 'The owner of the server cannot be suspended.',
  },
  organisation_switched: {
    status: 409,
    code: 'organisation_switched',
    message: 'You act for another organisation by now: it was switched in another window. Nothing was changed.',
  },
  changed_meanwhile: {
    status: 409,
    code: 'changed_meanwhile',
    message: "Somebody else changed this meanwhile, to '{now}'. Nothing was changed: look again, and decide anew.",
  },
  limits_changed: {
    status: 409,
    code: 'limits_changed',
    message:
      'Somebody else changed these limits meanwhile: they are not what the change was made for. Nothing was changed: look at them again, and decide anew.',
  },
  last_organisation_owner: {
    status: 409,
    code: 'last_organisation_owner',
    message: 'An organisation needs an owner, and you are its last: hand it over first, or delete it.',
  },
  too_many_organisations: {
    status: 409,
    code: 'too_many_organisations',
    message: 'An account may own at most {limit} organisations on this server.',
  },
  too_many_invitations: {
    status: 409,
    code: 'too_many_invitations',
    message: 'At most {limit} invitations of an organisation may be open at once: withdraw one first.',
  },
  already_member: { status: 409, code: 'already_member', message: 'You belong to this organisation already.' },
  invitation_expired: {
    status: 410,
    code: 'invitation_expired',
    message: 'This invitation has expired. Ask whoever invited you for a new one.',
  },
  invitation_used: { status: 410, code: 'invitation_used', message: 'This invitation was accepted already.' },
  invitation_withdrawn: {
    status: 410,
    code: 'invitation_withdrawn',
    message: 'This invitation was withdrawn. Ask whoever invited you for a new one.',
  },
  too_many_attempts: {
    status: 429,
    code: 'too_many_attempts',
    message: 'There were too many attempts. Try again later.',
  },
  too_many_lines: {
    status: 429,
    code: 'too_many_lines',
    message:
      'At most {limit} pages can follow the requests of an organisation at once. Close one of them, or load the list when you need it.',
  },
  sign_in_busy: {
    status: 503,
    code: 'sign_in_busy',
    message: 'Too many people are signing in at this moment. Try again shortly.',
  },
  sign_up_closed: { status: 403, code: 'sign_up_closed', message: 'This server takes no new accounts.' },
  invitation_needed: {
    status: 403,
    code: 'invitation_needed',
    message: 'New accounts need an invitation. Ask the owner of this server for one.',
  },
  invalid_link: {
    status: 400,
    code: 'invalid_link',
    message: 'The link is wrong, was used before or has expired. Ask for a new one.',
  },
  invalid_email: { status: 400, code: 'invalid_email', message: 'This is not an email address.' },
  email_taken: { status: 409, code: 'email_taken', message: 'There is an account with this email already.' },
  weak_password: {
    status: 400,
    code: 'weak_password',
    message: 'Choose another password ({reason}): {advice}.',
  },
  last_owner: {
    status: 409,
    code: 'last_owner',
    message: 'The last owner of a server cannot leave while it has other accounts.',
  },
  mail_not_configured: {
    status: 409,
    code: 'mail_not_configured',
    message: 'This server sends no mail. Ask its owner for a link.',
  },
  confirmation_mismatch: {
    status: 400,
    code: 'confirmation_mismatch',
    message: 'What was typed is not the name.',
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
      'A management key cannot make or change management keys: it may only rotate or revoke itself. Use the site or the command line.',
  },
  key_not_found: { status: 404, code: 'not_found', message: "There is no key with the id '{id}'." },
  request_not_found: { status: 404, code: 'not_found', message: "There is no request with the id '{id}'." },
  session_not_found: { status: 404, code: 'not_found', message: "There is no session with the id '{id}'." },
  member_not_found: { status: 404, code: 'not_found', message: "There is no member with the id '{id}' here." },
  invitation_not_found: {
    status: 404,
    code: 'not_found',
    message: "There is no open invitation with the id '{id}'.",
  },
  account_not_found: { status: 404, code: 'not_found', message: 'There is no account with this email.' },

  malformed_http: { status: 400, code: null, message: 'The request is not valid HTTP.' },
  unknown_url: { status: 404, code: 'unknown_url', message: 'Invalid URL ({method} {path})' },
  method_not_supported: {
    status: 405,
    code: 'method_not_supported',
    message: 'Not allowed to {method} on {path}. Allowed: {allowed}.',
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
  expectation_failed: { status: 417, code: 'expectation_failed', message: "Unknown Expect header: '{expectation}'." },
  request_too_large: {
    status: 413,
    code: 'request_too_large',
    message: 'The request body is larger than the limit of {limitBytes} bytes.',
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
    message: "There is no stored chat completion with the id '{id}'.",
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
    message: "Invalid key in '{path}': {id}. Expected the id of a token of the model.",
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
    message: "Invalid value: two functions have the name '{name}'. Every function needs a name of its own.",
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
    message: "'functions' and 'function_call' are the older spelling of 'tools' and 'tool_choice': use one of them.",
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
    message: "The schema in '{param}' is too complex: {reason}. Use a simpler one.",
  },
  conflicting_formats: {
    status: 400,
    code: 'invalid_value',
    message: 'Only one form of the answer can be asked for: leave all but one of them out.',
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
      'The answer grew beyond {limitBytes} bytes. Ask for fewer choices, tokens or top_logprobs, or for a stream.',
  },
  template_refused: {
    status: 400,
    code: 'invalid_value',
    message: 'The chat template of the model refused these messages: {reason}',
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
      'The server had an error while processing your request. Quote the request id {requestId} when you report it.',
  },
  engine_failed: {
    status: 500,
    code: 'engine_failed',
    message: 'The model stopped while it was answering. Nothing is wrong with the request: send it again.',
  },
  upstream_refused: {
    status: 400,
    code: 'upstream_refused',
    message: 'The inference engine behind this service refused the request: {reason}',
  },
  upstream_context_exceeded: { status: 400, code: 'context_length_exceeded', message: '{reason}' },
  upstream_busy: {
    status: 503,
    code: 'upstream_busy',
    message: 'The inference engine behind this service is overloaded or starting. Try again shortly.',
  },
  upstream_failed: {
    status: 502,
    code: 'upstream_failed',
    message: 'The inference engine behind this service did not answer properly. Send the request again.',
  },
  engine_loading: { status: 503, code: 'engine_loading', message: 'The model is being loaded. Try again shortly.' },
  body_memory_full: {
    status: 503,
    code: 'body_memory_full',
    message: 'The service is overloaded: the memory for request bodies is used up. Try again shortly.',
  },
  body_memory_share: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Too much is being sent at once: request bodies in progress of one organisation or one address may take up to {limitBytes} bytes together. Please try again when some of them have been answered.',
  },
  queue_full: {
    status: 503,
    code: 'queue_full',
    message: 'The service is overloaded: too many requests are waiting. Try again shortly.',
  },
  queue_timeout: {
    status: 503,
    code: 'queue_timeout',
    message: 'The service is overloaded: the request waited too long for its turn. Try again shortly.',
  },
  schema_compiler_busy: {
    status: 503,
    code: 'schema_compiler_busy',
    message: 'Too many schemas are waiting to be compiled. Try again shortly.',
  },
  shutting_down: {
    status: 503,
    code: 'shutting_down',
    message: 'The service is stopping or restarting. Try again shortly.',
  },
  generation_timeout: {
    status: 504,
    code: 'generation_timeout',
    message: 'The answer took longer than the limit of {limitMs} ms. Ask for a shorter one.',
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

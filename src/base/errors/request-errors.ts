import type { ErrorRow } from './error-row.ts'

/** Errors about HTTP, the body of a request and its parameters. */
export const requestErrors = {
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
  misdirected_request: {
    status: 421,
    code: 'misdirected_request',
    message: "This server is not '{host}'. Its address is {publicUrl}.",
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
  invalid_api_version: {
    status: 400,
    code: 'invalid_api_version',
    message: "Invalid anthropic-version: '{version}'. Send a date such as 2023-06-01, or omit the header.",
  },
  thread_unsupported_request: {
    status: 400,
    code: 'thread_unsupported_request',
    message: "Unsupported parameter: 'thread'. Send the full conversation without it.",
  },
  unknown_tool_use_id: {
    status: 400,
    code: null,
    message: 'Invalid {path}: there is no tool_use block with the ID {ids} in the previous message.',
  },
  tool_use_without_result: {
    status: 400,
    code: null,
    message:
      'Invalid {path}: the next message must contain a tool_result block for each tool_use block. Missing for: {ids}.',
  },
  tokens_unknown: {
    status: 400,
    code: 'model_not_supported',
    message:
      'The model `{model}` is served by an upstream, and its token IDs are not known here. Choose a model that this server runs itself.',
  },
  raw_prompt_unsupported: {
    status: 400,
    code: 'model_not_supported',
    message:
      'The model `{model}` is served by an upstream that has no POST /v1/completions. Use it with POST /v1/chat/completions.',
  },
  moderation_unavailable: {
    status: 400,
    code: 'unsupported_endpoint',
    message:
      'POST /v1/moderations is not available: no model here classifies content, and an invented result would be worse than none.',
  },
  missing_model: { status: 400, code: null, message: 'you must provide a model parameter' },
  model_not_found: {
    status: 404,
    code: 'model_not_found',
    message: 'The model `{model}` does not exist or you do not have access to it.',
  },
  model_not_for_chat: {
    status: 400,
    code: 'model_not_supported',
    message:
      'The model `{model}` creates embeddings and does not generate text. Use it with POST /v1/embeddings, or choose a chat model.',
  },
  model_not_for_embeddings: {
    status: 400,
    code: 'model_not_supported',
    message: 'The model `{model}` generates text and does not create embeddings. Choose an embedding model.',
  },
  completion_not_found: {
    status: 404,
    code: 'not_found',
    message: "No stored chat completion found with ID '{id}'.",
  },
  response_not_found: { status: 404, code: null, message: "Response with id '{id}' not found." },
  previous_response_not_found: {
    status: 400,
    code: 'previous_response_not_found',
    message: "Previous response with id '{id}' not found.",
  },
  item_not_found: { status: 404, code: null, message: "Item with id '{id}' not found." },
  media_not_stored: {
    status: 400,
    code: 'media_not_stored',
    message:
      'The conversation of the previous response has images or audio, which are not stored. Send the whole conversation as input instead.',
  },
  conversation_too_long: {
    status: 400,
    code: 'conversation_too_long',
    message:
      'The conversation of the previous response is too long to be continued. Send its latest items as input instead.',
  },
  response_not_cancellable: {
    status: 400,
    code: null,
    message: 'Cannot cancel a synchronous response.',
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
  misspelt_parameter: {
    status: 400,
    code: 'unknown_parameter',
    message: "Unknown parameter: '{path}'. Did you mean '{suggestion}'?",
  },
  too_many_unknown_parameters: {
    status: 400,
    code: 'unknown_parameter',
    message: "Unknown parameter: '{path}'. At most {maximum} unknown parameters of a request are ignored.",
  },
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
  tool_call_not_found: {
    status: 400,
    code: null,
    message: 'No tool call found for {kind} output with call_id {id}.',
  },
  tool_output_not_found: { status: 400, code: null, message: 'No tool output found for {kind} {id}.' },
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
  missing_json_word_in_input: {
    status: 400,
    code: null,
    message:
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
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
  input_too_long: {
    status: 400,
    code: 'context_length_exceeded',
    message:
      "Invalid '{path}': this model's maximum input length is {contextTokens} tokens, but the input has {tokens} tokens. Please reduce its length.",
  },
  too_many_input_tokens: {
    status: 400,
    code: 'context_length_exceeded',
    message:
      'The inputs exceed the maximum of {limit} tokens for one request. Please split them into several requests.',
  },
  too_many_dimensions: {
    status: 400,
    code: 'unsupported_value',
    message:
      "Unsupported value: 'dimensions'. The embeddings of the model `{model}` have {vectorLength} dimensions. They can be shortened, but not extended.",
  },
  embeddings_too_large: {
    status: 400,
    code: 'answer_too_large',
    message:
      'The response could exceed the limit of {limitBytes} bytes. Send fewer inputs, or set encoding_format to base64.',
  },
  input_without_tokens: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid '{path}': the text contains no tokens.",
  },
  unknown_input_token: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid '{path}': {id} is not a token ID in the vocabulary of the model.",
  },
} as const satisfies Record<string, ErrorRow>

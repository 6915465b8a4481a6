import type { ErrorRow } from './error-row.ts'

/** Errors about a request as a whole: parameters that contradict each other, and what is too much for a model. */
export const requestErrors = {
  blocked_by_hook: {
    status: 400,
    code: 'content_policy_violation',
    message: "Blocked by the policy '{hook}' of this server.",
  },
  invalid_cache_header: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid value for the header 'x-helix-cache': expected 'on' or 'off'.",
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
    message: "Invalid parameter: messages with role '{role}' must be a response to a preceding message with '{calls}'.",
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
  pair_too_long: {
    status: 400,
    code: 'context_length_exceeded',
    message:
      "Invalid '{path}': with its query the document has {tokens} tokens, but this model's maximum input length is {contextTokens} tokens. Shorten it, or set truncate_prompt_tokens to -1 to have it cut.",
  },
  query_too_long: {
    status: 400,
    code: 'context_length_exceeded',
    message:
      "Invalid '{path}': the query has {tokens} tokens, which leaves no room for a document among the maximum of {limit} tokens. Please reduce its length.",
  },
  too_many_input_tokens: {
    status: 400,
    code: 'context_length_exceeded',
    message:
      'The inputs exceed the maximum of {limit} tokens for one request. Please split them into several requests.',
  },
  unpaired_texts: {
    status: 400,
    code: 'invalid_value',
    message:
      "Invalid '{path}': there are {queries} queries for {documents} documents. Send one query for all of them, or one for each.",
  },
  mixed_score_fields: {
    status: 400,
    code: 'invalid_value',
    message: "Invalid '{path}': send either text_1 and text_2, or queries and documents.",
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

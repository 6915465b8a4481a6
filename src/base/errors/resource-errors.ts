import type { ErrorRow } from './error-row.ts'

/** Errors about what a request refers to: a version, a model, a stored response, an earlier call. */
export const resourceErrors = {
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
    message: 'The model `{model}` {does} and does not generate text. Use it with POST {path}, or choose a chat model.',
  },
  model_not_for_embeddings: {
    status: 400,
    code: 'model_not_supported',
    message: 'The model `{model}` {does} and does not create embeddings. Choose an embedding model.',
  },
  model_not_for_reranking: {
    status: 400,
    code: 'model_not_supported',
    message: 'The model `{model}` {does} and does not rerank documents. Choose a reranking model.',
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
} as const satisfies Record<string, ErrorRow>

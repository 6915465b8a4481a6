/** How a request came in, by the endpoint that the log names. */
export const callPaths = {
  'chat.completions': 'POST /v1/chat/completions',
  completions: 'POST /v1/completions',
  embeddings: 'POST /v1/embeddings',
  messages: 'POST /v1/messages',
  playground: 'POST /platform/playground/…',
  responses: 'POST /v1/responses',
} as const

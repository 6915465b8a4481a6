/** How a request came in, by the endpoint that the log names. */
export const callPaths = {
  'chat.completions': 'POST /v1/chat/completions',
  embeddings: 'POST /v1/embeddings',
  playground: 'POST /platform/playground/…',
} as const

/** In the order in which the site lists them. */
export const requestEndpoints = [
  'chat.completions',
  'responses',
  'messages',
  'completions',
  'embeddings',
  'playground',
] as const
export type RequestEndpoint = (typeof requestEndpoints)[number]

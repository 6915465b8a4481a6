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

/** In the order in which the site lists them. */
export const requestOutcomes = ['running', 'completed', 'failed', 'client_closed', 'server_died', 'refused'] as const

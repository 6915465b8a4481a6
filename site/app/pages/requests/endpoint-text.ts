import type { RequestEndpoint } from '../../../../src/platform/contract/request-kinds.ts'

const paths = {
  'chat.completions': '/v1/chat/completions',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  messages: '/v1/messages',
  rerank: '/v1/rerank',
  responses: '/v1/responses',
  score: '/v1/score',
} as const satisfies Record<Exclude<RequestEndpoint, 'playground'>, string>

export const endpointPath = (endpoint: keyof typeof paths): string => paths[endpoint]

/** The path that was called; the playground is known by its name, not by its path. */
export const endpointText = (endpoint: RequestEndpoint, playground: string): string =>
  endpoint === 'playground' ? playground : paths[endpoint]

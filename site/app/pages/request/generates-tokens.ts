import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'

/** They answer with vectors or scores in one document, of which nothing is stored. */
const withoutTokens: ReadonlySet<ShownRequest['endpoint']> = new Set(['embeddings', 'rerank', 'score'])

/**
 * Whether its answer consists of tokens: otherwise it has no first token, no completion and nothing that ended it. The
 * playground, which repeats requests of all endpoints, is known by the latter.
 */
export const generatesTokens = ({
  endpoint,
  outcome,
  finishReason,
}: Pick<ShownRequest, 'endpoint' | 'outcome' | 'finishReason'>): boolean =>
  !withoutTokens.has(endpoint) && !(outcome === 'completed' && finishReason === null)

import { ApiError } from '../../../base/api-error.ts'
import type { ScoredPairs } from '../../scored-pairs.ts'
import type { InputRefusal } from '../embedding/tokenise-inputs.ts'

/** The error for pairs that the model cannot score. */
export const refusedPair = (
  refusal: InputRefusal,
  { contextTokens, pairs }: { contextTokens: number; pairs: ScoredPairs },
): ApiError => {
  const { names, queries, documents, maxPairTokens } = pairs
  if (refusal.reason === 'too_many_tokens')
    return ApiError.of('too_many_input_tokens', { limit: refusal.limit }, { param: names.documents })
  const { index } = refusal
  const document = documents.length === 1 ? names.documents : `${names.documents}[${index}]`
  const query = queries.length === 1 ? names.queries : `${names.queries}[${index}]`
  switch (refusal.reason) {
    case 'too_long': {
      const tokens = refusal.isComplete ? refusal.tokens : `more than ${contextTokens}`
      return ApiError.of('pair_too_long', { path: document, contextTokens, tokens }, { param: document })
    }
    case 'query_too_long': {
      const limit = Math.min(contextTokens, (maxPairTokens ?? 0) > 0 ? Number(maxPairTokens) : contextTokens)
      const tokens = refusal.isComplete ? refusal.tokens : `more than ${contextTokens}`
      return ApiError.of('query_too_long', { path: query, limit, tokens }, { param: query })
    }
    case 'empty':
    case 'unknown_token':
      return ApiError.of('input_without_tokens', { path: document }, { param: document })
  }
}

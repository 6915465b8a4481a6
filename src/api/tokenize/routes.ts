import type { Route } from '../../http/route.ts'
import { createTokenize, type TokenizeDependencies } from './handler.ts'

/** vLLM's endpoints for the tokens of a model. */
export const createTokenizeRoutes = (dependencies: TokenizeDependencies): Route[] =>
  (['tokenize', 'detokenize'] as const).map((type) => ({
    method: 'POST',
    path: `/v1/${type}`,
    access: 'key',
    scope: 'chat',
    handle: createTokenize(type, dependencies),
  }))

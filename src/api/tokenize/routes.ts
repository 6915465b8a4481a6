import type { Route } from '../../http/route.ts'
import { createPromptHandler, type PromptDependencies } from '../generation/prompt-handler.ts'
import type { TokenRequestReader } from './request/token-request-reader.ts'
import { createTokenEndpoint } from './token-endpoint.ts'

/** vLLM's endpoints for the tokens of a model. */
export const createTokenizeRoutes = (
  reader: Pick<TokenRequestReader, 'read'>,
  dependencies: PromptDependencies,
): Route[] =>
  (['tokenize', 'detokenize'] as const).map((type) => ({
    method: 'POST',
    path: `/v1/${type}`,
    access: 'key',
    scope: 'chat',
    handle: createPromptHandler(createTokenEndpoint(type, reader), dependencies),
  }))

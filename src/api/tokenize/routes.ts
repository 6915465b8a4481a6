import type { ReaderOf } from '../../http/body-readers.ts'
import { createHandledRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { createPromptHandler, type PromptDependencies, type PromptEndpoint } from '../generation/prompt-handler.ts'
import { detokenizeJson, tokenizeJson, tokensUnknown } from './answers.ts'
import { tokenOperations } from './operations.ts'
import type { readTokenRequest, TokenNeeds, TokenRequest } from './request/read-token-request.ts'

type Reader = ReaderOf<typeof readTokenRequest>

export const createTokenizeRoutes = (reader: Reader, dependencies: PromptDependencies): Route[] => {
  const handle = (type: TokenNeeds['type']) => createPromptHandler(createTokenEndpoint(type, reader), dependencies)
  return [
    createHandledRoute(tokenOperations.tokenize, { handle: handle('tokenize') }),
    createHandledRoute(tokenOperations.detokenize, { handle: handle('detokenize') }),
  ]
}

/**
 * The tokens of a prompt, or the text of tokens. Only with a model that Helix runs itself: an upstream does not say which
 * tokens it uses.
 */
const createTokenEndpoint = (type: TokenNeeds['type'], reader: Reader): PromptEndpoint<TokenRequest> => ({
  read: (blocks, { caller: { ownerId }, strict, exchange }) =>
    reader.read(blocks, { ownerId, needs: { type, strict }, exchange }),
  check(_, model) {
    if (model.parsesAnswers) throw tokensUnknown(model.id)
  },
  answer: (request, engine, caller, signal) =>
    request.type === 'tokenize'
      ? tokenizeJson(request, engine, caller, signal)
      : detokenizeJson(request.tokens, engine, caller, signal),
})

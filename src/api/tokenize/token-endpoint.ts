import type { PromptEndpoint } from '../generation/prompt-handler.ts'
import { detokenizeJson, tokenizeJson, tokensUnknown } from './answers.ts'
import type { TokenNeeds, TokenRequest } from './request/read-token-request.ts'
import type { TokenRequestReader } from './request/token-request-reader.ts'

/**
 * `POST /v1/tokenize` and `POST /v1/detokenize`: the tokens of a prompt, and the text of tokens. Only with a model that Helix
 * runs itself: an upstream does not say which tokens it uses.
 */
export const createTokenEndpoint = (
  type: TokenNeeds['type'],
  reader: Pick<TokenRequestReader, 'read'>,
): PromptEndpoint<TokenRequest> => ({
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

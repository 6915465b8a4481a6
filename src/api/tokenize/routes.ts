import { ApiError } from '../../base/api-error.ts'
import type { ServedModel } from '../../engine/contract.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import { readQuery } from '../../http/read-query.ts'
import { mayUseModel } from '../../keys/key-guard.ts'
import type { ModelPool, Models } from '../../models/contract.ts'
import { modelNames } from '../../models/model-names.ts'
import { createHandledRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import {
  createModelInfoHandler,
  createPromptHandler,
  type PromptDependencies,
  type PromptEndpoint,
} from '../generation/prompt-handler.ts'
import { detokenizeJson, tokenizeJson, tokenizerInfoJson, tokensUnknown } from './answers.ts'
import { tokenOperations } from './operations.ts'
import type { readTokenRequest, TokenNeeds, TokenRequest } from './request/read-token-request.ts'

type Reader = ReaderOf<typeof readTokenRequest>

export const createTokenizeRoutes = (reader: Reader, dependencies: PromptDependencies): Route[] => {
  const handle = (type: TokenNeeds['type']) => createPromptHandler(createTokenEndpoint(type, reader), dependencies)
  return [
    createHandledRoute(tokenOperations.tokenize, { handle: handle('tokenize') }),
    createHandledRoute(tokenOperations.detokenize, { handle: handle('detokenize') }),
    createHandledRoute(tokenOperations.tokenizerInfo, {
      handle: createModelInfoHandler(createInfoEndpoint(dependencies.models), dependencies),
    }),
  ]
}

/**
 * The tokens of a prompt, or the text of tokens. Only with a model that Helix runs itself: an upstream does not say which
 * tokens it uses.
 */
const createTokenEndpoint = (type: TokenNeeds['type'], reader: Reader): PromptEndpoint<TokenRequest> => ({
  read: (blocks, { caller: { ownerId }, strict, exchange }) =>
    reader.read(blocks, { ownerId, needs: { type, strict }, exchange }),
  check: (_, model) => refuseUpstream(model),
  answer: (request, engine, caller, signal) =>
    request.type === 'tokenize'
      ? tokenizeJson(request, engine, caller, signal)
      : detokenizeJson(request.tokens, engine, caller, signal),
})

/** Without a name, the first model that Helix runs itself and the key may use. */
const createInfoEndpoint = (models: Pick<Models, 'list'>): Parameters<typeof createModelInfoHandler>[0] => ({
  modelOf({ request }, { key }) {
    const { model } = readQuery(request, tokenOperations.tokenizerInfo.query)
    if (model !== undefined) return model
    const isOwn = ({ kind, model: { parsesAnswers } }: ModelPool) => kind === 'chat' && !parsesAnswers
    const first = models.list().find((pool) => isOwn(pool) && mayUseModel(key, modelNames(pool)))
    if (first === undefined) throw ApiError.of('missing_model', {})
    return first.model.id
  },
  check: refuseUpstream,
  answer: tokenizerInfoJson,
})

const refuseUpstream = ({ id, parsesAnswers }: ServedModel): void => {
  if (parsesAnswers) throw tokensUnknown(id)
}

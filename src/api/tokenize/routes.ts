import { ApiError } from '../../base/api-error.ts'
import type { ServedModel } from '../../engine/contract.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import { readQuery } from '../../http/read-query.ts'
import { mayUseModel } from '../../keys/key-guard.ts'
import type { ModelPool, Models } from '../../models/contract.ts'
import { modelNames } from '../../models/model-names.ts'
import type { KeyCaller } from '../../operations/callers.ts'
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
  const findModel = createFindModel(dependencies.models)
  const handle = (type: TokenNeeds['type'], defaultModel?: FindModel) =>
    createPromptHandler(createTokenEndpoint(type, reader, defaultModel), dependencies)
  const showInfo = createModelInfoHandler(createInfoEndpoint(findModel), dependencies)
  const { tokenize, detokenize, tokenizerInfo } = tokenOperations
  return [
    createHandledRoute(tokenize, { handle: handle('tokenize') }),
    createHandledRoute(detokenize, { handle: handle('detokenize') }),
    createHandledRoute(tokenizerInfo, { handle: showInfo }),
    // vLLM's own addresses. Its clients do not name a model there.
    createHandledRoute({ ...tokenize, path: '/tokenize' }, { handle: handle('tokenize', findModel) }),
    createHandledRoute({ ...detokenize, path: '/detokenize' }, { handle: handle('detokenize', findModel) }),
    createHandledRoute({ ...tokenizerInfo, path: '/tokenizer_info' }, { handle: showInfo }),
  ]
}

type FindModel = (caller: Pick<KeyCaller, 'key'>) => string | null

/** The first model that Helix runs itself and the key may use; null if there is none. */
const createFindModel =
  (models: Pick<Models, 'list'>): FindModel =>
  ({ key }) => {
    const isOwn = ({ kind, model: { parsesAnswers } }: ModelPool) => kind === 'chat' && !parsesAnswers
    return models.list().find((pool) => isOwn(pool) && mayUseModel(key, modelNames(pool)))?.model.id ?? null
  }

/**
 * The tokens of a prompt, or the text of tokens. Only with a model that Helix runs itself: an upstream does not say which
 * tokens it uses. `defaultModel` is asked for a body that names none.
 */
const createTokenEndpoint = (
  type: TokenNeeds['type'],
  reader: Reader,
  defaultModel: FindModel = () => null,
): PromptEndpoint<TokenRequest> => ({
  // An embedding model has tokens too.
  kind: type === 'tokenize' ? null : 'chat',
  read: (blocks, { caller, strict, exchange }) =>
    reader.read(blocks, {
      ownerId: caller.ownerId,
      needs: { type, strict, defaultModel: defaultModel(caller) },
      exchange,
    }),
  check: (_, model) => refuseUpstream(model),
  answer: (request, engine, caller, signal) =>
    request.type === 'tokenize'
      ? tokenizeJson(request, engine, caller, signal)
      : detokenizeJson(request.tokens, engine, caller, signal),
})

const createInfoEndpoint = (findModel: FindModel): Parameters<typeof createModelInfoHandler>[0] => ({
  modelOf({ request }, caller) {
    const model = readQuery(request, tokenOperations.tokenizerInfo.query).model ?? findModel(caller)
    if (model === null) throw ApiError.of('missing_model', {})
    return model
  },
  check: refuseUpstream,
  answer: tokenizerInfoJson,
})

const refuseUpstream = ({ id, parsesAnswers }: ServedModel): void => {
  if (parsesAnswers) throw tokensUnknown(id)
}

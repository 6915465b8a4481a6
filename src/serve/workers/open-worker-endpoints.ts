import { openApiBodyReaders } from '../../api/bodies/api-body-readers.ts'
import { chatOperations } from '../../api/chat-completions/operations.ts'
import { completionsOperations } from '../../api/completions/operations.ts'
import { embeddingsOperations } from '../../api/embeddings/operations.ts'
import type { Elsewhere } from '../../api/generation/accept/accept-request.ts'
import { createRecordRefusal } from '../../api/generation/accept/record-refusal.ts'
import { openHooks } from '../../api/generation/hooks/open-hooks.ts'
import { createAnthropicStyle } from '../../api/messages/anthropic-style.ts'
import { messageOperations } from '../../api/messages/operations.ts'
import { createMessagesRoutes } from '../../api/messages/routes.ts'
import { rerankOperations } from '../../api/rerank/operations.ts'
import { responseOperations } from '../../api/responses/operations.ts'
import { createResolveConversation } from '../../api/responses/resolve-conversation.ts'
import { createResponsesDialect } from '../../api/responses/responses-dialect.ts'
import { responsesStyle } from '../../api/responses/responses-style.ts'
import type { ByteUse } from '../../base/byte-use.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../config/settings.ts'
import type { HttpRoute } from '../../http/route.ts'
import { createKeyGuard } from '../../keys/key-guard.ts'
import type { KeyVerifier } from '../../keys/verify-key.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import { createHandledRoute } from '../../operations/create-route.ts'
import { guardRoutes, noGuards } from '../../operations/guard-routes.ts'
import type { Replays } from '../../replay/replays.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { Ledger } from '../../usage/ledger-contract.ts'
import type { RefusalLog } from '../../usage/refusal-log.ts'
import type { Closers } from '../closers.ts'
import { openDialects } from '../open-dialects.ts'
import { openGeneration } from '../open-generation.ts'
import { type InputsHandlers, openInputsEndpoints } from '../open-inputs-endpoints.ts'
import type { RemoteStorage } from './remote-storage.ts'
import type { WorkerModels } from './worker-models.ts'

type WorkerEndpointsDependencies = {
  config: Config
  clock: Clock
  log: Log
  models: WorkerModels
  limiter: Pick<Limiter, 'precheck'>
  ledger: Pick<Ledger, 'reserve'>
  refusals: Pick<RefusalLog, 'add'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  storage: RemoteStorage
  answerUse: ByteUse
  verifier: KeyVerifier
  touch(keyId: string): void
  elsewhere: Elsewhere
  closers: Closers
}

type WorkerEndpoints = {
  routes: HttpRoute[]
  /** The paths on which an Idempotency-Key has no effect. */
  unreplayed: ReadonlySet<string>
}

/** The routes that workers answer: those that use a model for a key. */
export const openWorkerEndpoints = (dependencies: WorkerEndpointsDependencies): WorkerEndpoints => {
  const { config, clock, log, models, limiter, refusals, storage, verifier, touch, elsewhere, closers } = dependencies
  const hooks = openHooks({ settings: config.hooks, secret: config.hookSecret, clock, log })
  const openEndpoint = openGeneration({
    ...dependencies,
    replays: noReplays,
    // Requests whose answers may be cached are passed on.
    cached: null,
    hooks,
    disk: storage.disk,
  })
  const readers = openApiBodyReaders({ clock, bodyLimitBytes: config.bodyLimitBytes })
  closers.add(() => readers.close())
  const { chatCompletions, completions, messages } = openDialects(openEndpoint, {
    ...{ clock, completions: storage.completions, readers },
  })
  const resolve = createResolveConversation({ responses: storage.responses, clock })
  const responses = openEndpoint(
    createResponsesDialect({
      reader: readers.reader('responses'),
      responses: storage.responses,
      // What is passed on is completed there.
      resolve: async (request, caller) =>
        models.isOwn(models.find(request.model)) ? resolve(request, caller) : request,
    }),
  )
  const inputs = openInputsEndpoints({ ...dependencies, readers, hooks })
  const recorded = (endpoint: keyof InputsHandlers) => ({
    handle: inputs[endpoint],
    onError: createRecordRefusal({ refusals, clock, endpoint }),
  })
  const rerank = recorded('rerank')
  const { bodyLimitBytes, generationTimeoutMs, strictRequests } = config
  const ofMessages = createMessagesRoutes({
    ...messages,
    reader: readers.reader('messages'),
    style: createAnthropicStyle(clock),
    prompts: { models, limiter, clock, bodyLimitBytes, generationTimeoutMs, strictRequests, elsewhere },
  })
  const ofInputs = [
    createHandledRoute(embeddingsOperations.createEmbedding, recorded('embeddings')),
    createHandledRoute(rerankOperations.createRerank, rerank),
    createHandledRoute({ ...rerankOperations.createRerank, path: '/v2/rerank' }, rerank),
    createHandledRoute(rerankOperations.createScore, recorded('score')),
  ]
  const routes = [
    ...ofInputs,
    createHandledRoute(chatOperations.createChatCompletion, chatCompletions),
    createHandledRoute(completionsOperations.createCompletion, completions),
    createHandledRoute(responseOperations.createResponse, { ...responses, style: responsesStyle }),
    ...ofMessages.filter(({ path }) => path === messageOperations.createMessage.path),
  ]
  const guards = { ...noGuards, keyGuard: createKeyGuard({ verifier, lastUsed: { touch } }) }
  return { routes: guardRoutes(routes, guards), unreplayed: new Set(ofInputs.map(({ path }) => path)) }
}

const neverHere = (): never => {
  throw new Error('such requests are passed on')
}

/** Requests with an Idempotency-Key are passed on. */
const noReplays: Pick<Replays, 'open' | 'isKnown'> = { open: neverHere, isKnown: neverHere }

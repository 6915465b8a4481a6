import { hostname } from 'node:os'
import type { Accounts } from './accounts/accounts.ts'
import { createBackupItems } from './accounts/secrets/backup-items.ts'
import type { Secrets } from './accounts/secrets/open-secrets.ts'
import type { ApiBodyReaders } from './api/bodies/api-body-readers.ts'
import { chatOperations } from './api/chat-completions/operations.ts'
import { completionsOperations } from './api/completions/operations.ts'
import { embeddingsOperations } from './api/embeddings/operations.ts'
import type { RecordRefusal } from './api/generation/accept/record-refusal.ts'
import type { GenerationHandler } from './api/generation/generation-handler.ts'
import { createPromptHandler, type PromptEndpoint } from './api/generation/prompt-handler.ts'
import type { InputsHandler } from './api/inputs/inputs-handler.ts'
import { createOwnKeyRoutes } from './api/key/routes.ts'
import { createKeyRoutes } from './api/keys/routes.ts'
import { createAnthropicStyle } from './api/messages/anthropic-style.ts'
import { createMessagesRoutes } from './api/messages/routes.ts'
import { createListModels, createModelRoutes } from './api/models/routes.ts'
import { createModerationRoutes } from './api/moderations/routes.ts'
import { createOpenapiRoutes } from './api/openapi/routes.ts'
import { rerankOperations } from './api/rerank/operations.ts'
import { responseOperations } from './api/responses/operations.ts'
import type { ReceivedResponsesRequest } from './api/responses/request/read-responses-request.ts'
import { responsesStyle } from './api/responses/responses-style.ts'
import { createStoredResponseRoutes } from './api/responses/stored/routes.ts'
import { createStoredCompletionRoutes } from './api/stored-completions/routes.ts'
import { createTokenizeRoutes } from './api/tokenize/routes.ts'
import { createUsageRoutes } from './api/usage/routes.ts'
import type { Clock } from './base/clock.ts'
import { fullVersion } from './base/version.ts'
import type { Config } from './config/settings.ts'
import { controlOperations, createControl, serverOperations } from './control/control.ts'
import { createAccountControl } from './control/control-accounts.ts'
import { createBackupControl } from './control/control-backup.ts'
import { createCacheControl } from './control/control-cache.ts'
import { createDiagnosisControl } from './control/control-diagnosis.ts'
import { createModelControl } from './control/control-models.ts'
import { createSettingControl } from './control/control-settings.ts'
import { createSupportControl } from './control/control-support.ts'
import { createShowReadiness, type ReadinessDependencies, showHealth } from './health/show-health.ts'
import type { Exchange } from './http/exchange.ts'
import { sendJson } from './http/respond.ts'
import type { KeyRegistry } from './keys/key-registry.ts'
import type { Limiter } from './limits/limiter-contract.ts'
import type { Models } from './models/contract.ts'
import type { ModelLibrary } from './models/manage/model-library.ts'
import type { PriceLookup } from './models/price-lookup.ts'
import type { NodeLease } from './nodes/node-lease.ts'
import { createHandledRoute, createOperationRoutes } from './operations/create-route.ts'
import type { Route } from './operations/route.ts'
import { createPlatformRoutes } from './platform/routes.ts'
import type { ServerSettings } from './settings/server-settings.ts'
import type { Site } from './site-server/open-site.ts'
import { createSiteRoutes } from './site-server/routes.ts'
import type { Store } from './store/contract.ts'
import { recordBackup } from './store/last-backup.ts'
import type { UpstreamRegistry } from './upstreams/upstream-registry.ts'
import type { BodyWriter } from './usage/body-writer.ts'
import type { Ledger } from './usage/ledger-contract.ts'
import type { LedgerNotifier } from './usage/ledger-notifier.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

export type RoutesDependencies = {
  config: Config
  clock: Clock
  store: Store
  models: Models
  library: ModelLibrary
  upstreams: UpstreamRegistry
  node: Pick<NodeLease, 'list'>
  findPrice: PriceLookup
  limiter: Limiter
  keys: KeyRegistry
  accounts: Accounts
  bodies: BodyWriter
  notifier: LedgerNotifier
  webhooks: Webhooks
  ledger: Pick<Ledger, 'acceptsWithoutStore' | 'unwritten'>
  showMetrics(exchange: Exchange): Promise<void>
  /** When the certificate ends; null without TLS. */
  certificateEndsAt(): number | null
  chatCompletions: { handle: GenerationHandler; onError: RecordRefusal }
  responses: { handle: GenerationHandler; onError: RecordRefusal }
  inputTokens: PromptEndpoint<ReceivedResponsesRequest>
  completions: { handle: GenerationHandler; onError: RecordRefusal }
  messages: { handle: GenerationHandler; onError: RecordRefusal }
  readers: ApiBodyReaders
  embeddings: { handle: InputsHandler; onError: RecordRefusal }
  rerank: { handle: InputsHandler; onError: RecordRefusal }
  score: { handle: InputsHandler; onError: RecordRefusal }
  site: Site
  siteUrl(): string
  secrets: Secrets
  settings: ServerSettings
  announceSecrets(): void
  /** Whether the file of settings has changed since the start. */
  hasConfigChanged(): Promise<boolean>
  /** Of a running server, beside what its settings say. */
  collectSupport(diagnosis: unknown, sampleMs: number): Promise<{ name: string; text: string }[]>
} & Pick<ReadinessDependencies, 'redis' | 'stop' | 'checks'>

/** The complete list of routes, each with who may call it. What is not here does not exist. */
export const createRoutes = (dependencies: RoutesDependencies): Route[] => {
  const { config, clock, store, models, upstreams, limiter, keys, accounts, bodies, notifier } = dependencies
  const prices = { findPrice: dependencies.findPrice, currency: config.currency }
  const { ledger, readers, chatCompletions, responses, messages, embeddings, site, siteUrl, redis, stop } = dependencies
  const { checks } = dependencies
  const diagnosis = createDiagnosisControl({
    runChecks: () => checks.run({ isThorough: true }),
    listNodes: () => dependencies.node.list(),
    self: { name: config.nodeName ?? hostname(), kind: 'server', version: fullVersion },
  })
  const { rerank, score } = dependencies
  const { usage, completions } = store
  const { timeZone, bodyLimitBytes, heartbeatMs, stallTimeoutMs, generationTimeoutMs, strictRequests } = config
  const recordNow = (): Promise<void> => recordBackup(config.dataDir, clock.now())
  const prompts = { models, limiter, clock, bodyLimitBytes, generationTimeoutMs, strictRequests }
  const anthropic = createAnthropicStyle(clock)
  const { showReadiness, showEngineHealth } = createShowReadiness({ models, store, clock, ledger, redis, stop, checks })
  const listModels = createListModels(models, prices)
  return [
    createHandledRoute(chatOperations.createChatCompletion, chatCompletions),
    createHandledRoute(responseOperations.createResponse, { ...responses, style: responsesStyle }),
    createHandledRoute(responseOperations.countInputTokens, {
      ...responses,
      handle: createPromptHandler(dependencies.inputTokens, prompts),
    }),
    ...createStoredResponseRoutes({ responses: store.responses, clock, heartbeatMs, stallTimeoutMs }),
    createHandledRoute(embeddingsOperations.createEmbedding, embeddings),
    createHandledRoute(rerankOperations.createRerank, rerank),
    // Where the clients of Cohere's API send it.
    createHandledRoute({ ...rerankOperations.createRerank, path: '/v2/rerank' }, rerank),
    createHandledRoute(rerankOperations.createScore, score),
    createHandledRoute(completionsOperations.createCompletion, dependencies.completions),
    ...createModerationRoutes(),
    ...createMessagesRoutes({ ...messages, reader: readers.reader('messages'), style: anthropic, prompts }),
    ...createTokenizeRoutes(readers.reader('tokens'), prompts),
    ...createStoredCompletionRoutes({ completions, bodyLimitBytes }),
    ...createModelRoutes({ models, prices, anthropicStyle: anthropic }),
    ...createOwnKeyRoutes({ limiter, usage, clock, timeZone }),
    ...createKeyRoutes({ keys, bodyLimitBytes }),
    ...createUsageRoutes({ usage, clock, timeZone, currency: config.currency }),
    ...createOpenapiRoutes(config),

    { method: 'GET', path: '/healthz', access: 'anyone', isProbe: true, handle: showHealth },
    { method: 'GET', path: '/readyz', access: 'anyone', isProbe: true, handle: showReadiness },
    { method: 'GET', path: '/health', access: 'anyone', isProbe: true, handle: showEngineHealth },
    {
      method: 'GET',
      path: '/metrics',
      access: 'key',
      scope: 'metrics',
      isProbe: true,
      handle: dependencies.showMetrics,
    },

    ...createPlatformRoutes({
      config,
      clock,
      store,
      accounts,
      keys,
      limiter,
      models,
      library: dependencies.library,
      upstreams,
      findPrice: dependencies.findPrice,
      notifier,
      ledger,
      redis,
      certificateEndsAt: dependencies.certificateEndsAt,
      bodies,
      webhooks: dependencies.webhooks,
      playground: {
        completeInPlayground: chatCompletions,
        respondInPlayground: responses,
        messageInPlayground: messages,
        continueInPlayground: dependencies.completions,
        embedInPlayground: embeddings,
        rerankInPlayground: rerank,
        scoreInPlayground: score,
        listModelsInPlayground: {
          handle: (exchange, caller) => sendJson(exchange, 200, listModels(exchange, caller)),
        },
      },
      hasConfigChanged: dependencies.hasConfigChanged,
      settings: dependencies.settings,
      node: dependencies.node,
    }),

    ...createOperationRoutes(
      controlOperations,
      createControl({
        ...{ store, keys, limiter, suspensions: accounts.suspensions, clock, timeZone, currency: config.currency },
        upstreams: async () => upstreams,
        secrets: async () => dependencies.secrets,
        announceSecrets: dependencies.announceSecrets,
        listNodes: () => dependencies.node.list(),
      }),
    ),
    ...createOperationRoutes(serverOperations, {
      ...createAccountControl(accounts, siteUrl),
      ...createBackupControl(store, () => createBackupItems(config), recordNow),
      ...createCacheControl(store.cache),
      ...createModelControl(models),
      ...diagnosis,
      ...createSettingControl(dependencies.settings),
      ...createSupportControl({
        collect: async (sampleMs) => dependencies.collectSupport(await diagnosis.diagnose(), sampleMs),
      }),
    }),

    ...createSiteRoutes(site, models),
  ]
}

/**
 * The site's own API. A session comes by cookie only: an API key gives access to none of these routes. What each reads and
 * answers is in `contract/`.
 */
import type { Accounts } from '../accounts/accounts.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import type { Exchange } from '../http/exchange.ts'
import { sendJsonText } from '../http/respond.ts'
import type { KeyRegistry } from '../keys/key-registry.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { Models } from '../models/contract.ts'
import type { ModelLibrary } from '../models/manage/model-library.ts'
import type { PriceLookup } from '../models/price-lookup.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import { createHandledRoute } from '../operations/create-route.ts'
import type { Route } from '../operations/route.ts'
import { createOpenapiWriter } from '../operations/write-openapi.ts'
import type { ServerSettings } from '../settings/server-settings.ts'
import type { Store } from '../store/contract.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import type { BodyWriter } from '../usage/body-writer.ts'
import type { Ledger } from '../usage/ledger-contract.ts'
import type { LedgerNotifier } from '../usage/ledger-notifier.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { createAccountRoutes } from './account/routes.ts'
import { createModelRoutes } from './admin/model-routes.ts'
import { createNodeRoutes } from './admin/node-routes.ts'
import { createAdminRoutes } from './admin/routes.ts'
import { createServerRoutes } from './admin/server-routes.ts'
import { createSettingRoutes } from './admin/setting-routes.ts'
import { createUpstreamRoutes } from './admin/upstream-routes.ts'
import { createAuditRoutes } from './audit/routes.ts'
import { createCatalogueRoutes } from './catalogue/routes.ts'
import { platformDocument } from './contract/openapi-document.ts'
import { documentOperations } from './contract/operations.ts'
import { createKeyRoutes } from './keys/routes.ts'
import { createLimitRoutes } from './limits/routes.ts'
import { createNoticeRoutes } from './notices/routes.ts'
import { createInvitationRoutes } from './organisation/invitation-routes.ts'
import { createOrganisationRoutes } from './organisation/routes.ts'
import { createOverviewRoutes } from './overview/routes.ts'
import { createCallRoutes, type PlaygroundHandlers } from './playground/call-routes.ts'
import { createConversationRoutes } from './playground/conversation-routes.ts'
import { createPlaygroundRoutes } from './playground/routes.ts'
import { createBodyRoutes } from './requests/body-routes.ts'
import { createRequestRoutes } from './requests/routes.ts'
import { createSignInRoutes } from './sign-in/routes.ts'
import { createSecondFactorRoutes } from './sign-in/second-factor-routes.ts'
import { createUsageRoutes } from './usage/routes.ts'
import { createWebhookRoutes } from './webhooks/routes.ts'

export type PlatformDependencies = {
  config: Config
  clock: Clock
  store: Pick<
    Store,
    | 'audit'
    | 'organisations'
    | 'usage'
    | 'ledger'
    | 'requestLog'
    | 'bodies'
    | 'playground'
    | 'conversations'
    | 'hiddenNotices'
    | 'webhooks'
    | 'upstreamUse'
  >
  accounts: Accounts
  keys: KeyRegistry
  limiter: Limiter
  models: Models
  library: ModelLibrary
  upstreams: UpstreamRegistry
  node: Pick<NodeLease, 'list'>
  findPrice: PriceLookup
  notifier: LedgerNotifier
  ledger: Pick<Ledger, 'unwritten'>
  /** Null for a single server. */
  redis: { readonly isAway: boolean } | null
  /** When the certificate ends; null without TLS. */
  certificateEndsAt(): number | null
  bodies: BodyWriter
  webhooks: Webhooks
  playground: PlaygroundHandlers
  settings: ServerSettings
  /** Whether the file of settings has changed since the start. */
  hasConfigChanged(): Promise<boolean>
}

export const createPlatformRoutes = (dependencies: PlatformDependencies): Route[] => {
  const {
    config,
    clock,
    store,
    accounts,
    keys,
    limiter,
    models,
    upstreams,
    node,
    notifier,
    bodies,
    playground,
    settings,
    hasConfigChanged,
  } = dependencies
  const { usage, organisations, requestLog, bodies: bodyRecords, ledger, hiddenNotices } = store
  const { timeZone, currency, heartbeatMs, stallTimeoutMs } = config
  /** The address at which the reader of a page reached it. */
  const pageUrl = ({ origin }: Exchange): string => config.publicUrl ?? origin.origin
  const writeDocument = createOpenapiWriter(platformDocument)
  return [
    ...createSignInRoutes({ accounts, keys, models, findPrice: dependencies.findPrice, currency, pageUrl }),
    ...createSecondFactorRoutes(accounts, pageUrl),
    ...createAccountRoutes({
      ...{ accounts, keys, usage, bodies: bodyRecords, hiddenNotices },
      ...{ playground: store.playground, conversations: store.conversations, webhooks: store.webhooks },
    }),
    ...createOrganisationRoutes(accounts),
    ...createInvitationRoutes(accounts.invitations, pageUrl),
    ...createKeyRoutes({ keys, accounts, audit: store.audit, limiter, usage, clock, timeZone }),
    ...createLimitRoutes({ organisations, usage, limiter, keys, clock, settings: config }),
    ...createUsageRoutes({ usage, requestLog, keys, accounts, clock, timeZone, currency }),
    ...createRequestRoutes({ requestLog, notifier, sessions: accounts.sessions, clock, heartbeatMs, stallTimeoutMs }),
    ...createBodyRoutes({ bodies, bodyRecords, requestLog, clock }),
    ...createCallRoutes(playground),
    ...createPlaygroundRoutes({ playground: store.playground, clock }),
    ...createConversationRoutes({ conversations: store.conversations, bodies: store.bodies, clock }),
    ...createNoticeRoutes({
      ...{ config, accounts, keys, limiter, models, upstreams, hiddenNotices, clock, hasConfigChanged, pageUrl },
    }),
    ...createAuditRoutes(store.audit),
    ...createWebhookRoutes(dependencies.webhooks),
    ...createAdminRoutes({ accounts, keys, pageUrl }),
    ...createOverviewRoutes({
      ...{
        config,
        usage,
        requestLog,
        organisations,
        models,
        upstreams,
        node,
        clock,
        timeZone,
        currency,
        hasConfigChanged,
      },
      ...{ ledger: dependencies.ledger, redis: dependencies.redis, certificateEndsAt: dependencies.certificateEndsAt },
    }),
    ...createModelRoutes({ models, upstreams, library: dependencies.library, hubUrl: config.modelHubUrl }),
    ...createCatalogueRoutes({
      models,
      upstreams,
      findPrice: dependencies.findPrice,
      usage,
      clock,
      timeZone,
      currency,
    }),
    ...createUpstreamRoutes(upstreams, node, { records: store.upstreamUse, clock, currency }),
    ...createServerRoutes({ config, models, ledger, clock, settings }),
    ...createSettingRoutes({ config, settings, accounts, pageUrl }),
    ...createNodeRoutes(node),
    createHandledRoute(documentOperations.showOpenapi, {
      handle: (exchange) => sendJsonText(exchange, 200, writeDocument(pageUrl(exchange))),
    }),
  ]
}

import { openApiBodyReaders } from '../api/bodies/api-body-readers.ts'
import { createRecordRefusal } from '../api/generation/accept/record-refusal.ts'
import { openHooks } from '../api/generation/hooks/open-hooks.ts'
import { addServerChecks } from '../health/server-checks.ts'
import { createBodyBudget } from '../http/body-budget.ts'
import { createCors } from '../http/cors.ts'
import { createDispatch, type Dispatch } from '../http/dispatch.ts'
import { createForwarded } from '../http/forwarded.ts'
import { ModelLibrary } from '../models/manage/model-library.ts'
import { guardRoutes, noGuards } from '../operations/guard-routes.ts'
import { createRoutes } from '../routes.ts'
import { showUnknown } from '../site-server/show-unknown.ts'
import type { Closers } from './closers.ts'
import { createCollectSupport } from './create-collect-support.ts'
import { followNodes } from './follow-nodes.ts'
import type { Accounting } from './open-accounting.ts'
import type { Cluster } from './open-cluster.ts'
import { openDialects } from './open-dialects.ts'
import { openGeneration } from './open-generation.ts'
import { type InputsHandlers, openInputsEndpoints } from './open-inputs-endpoints.ts'
import { openMetrics, type ShowMetrics } from './open-metrics.ts'
import { openResponses } from './open-responses.ts'
import type { Storage } from './open-storage.ts'
import { openTraces } from './open-traces.ts'
import { createRecheckAnswers } from './recheck-answers.ts'
import type { ServeContext } from './serve-options.ts'
import { createStopAnswers, type StopAnswers } from './stop-answers.ts'
import type { MemoryUse } from './workers/shared-memory.ts'

type Earlier = Storage & Cluster & Accounting

type Endpoints = { dispatch: Dispatch; stopAnswers: StopAnswers; showMetrics: ShowMetrics }

/** `memory`: what it uses, with its workers. */
export const openEndpoints = (
  context: ServeContext,
  earlier: Earlier,
  memory: MemoryUse,
  closers: Closers,
): Endpoints => {
  const { config, clock, log } = context
  const { store, redis, messages, site, upstreams, secrets, settings, node, limiter, access } = earlier
  const { bodies, notifier, replays } = earlier
  const showMetrics = openMetrics(context, earlier, closers)
  const { metrics: families, workerLink } = context
  const metrics = { families, countsOfWorkers: workerLink.spanCounts }
  const traces = openTraces({ config, clock, log, closers, metrics })
  const dispatch = createDispatch({
    routes: guardRoutes(openRoutes(context, { ...earlier, showMetrics, memory }, closers), {
      ...noGuards,
      keyGuard: access.keyGuard,
      pageGuard: access.pageGuard,
    }),
    locate: createForwarded({
      trustedProxies: config.trustedProxies,
      publicUrl: config.publicUrl ?? undefined,
      host: config.host,
    }),
    cors: createCors(config.corsOrigins),
    bodies: createBodyBudget(config, memory.bodies),
    showUnknown: (exchange, path) => showUnknown(site, exchange, path),
    clock,
    log,
    traces,
  })
  const stopAnswers = createStopAnswers({ dispatch, replays })
  const recheckOwn = createRecheckAnswers({ records: store.callers, dispatch, replays, stopAnswers })
  if (redis !== null && messages !== null)
    followNodes({
      ...{
        messages,
        redis,
        limiter,
        upstreams,
        secrets,
        settings,
        node,
        bodies,
        notifier,
        clock,
        log,
        closers,
        verifier: access.verifier,
      },
      recheckAnswers() {
        context.workerLink.recheck()
        return recheckOwn()
      },
    })
  return { dispatch, stopAnswers, showMetrics }
}

const openRoutes = (
  context: ServeContext,
  earlier: Earlier & { showMetrics: ShowMetrics; memory: MemoryUse },
  closers: Closers,
): ReturnType<typeof createRoutes> => {
  const { config, clock, log, siteUrl, delay, checks, certificateEndsAt } = context
  const { hasConfigChanged = async () => false, workerCounts } = context
  const { models, store, redis, messages, site, node, upstreams } = earlier
  const { access, ledger, refusals, bodies, notifier, findPrice, limiter, replays, cached, disk, webhooks } = earlier
  const hooks = openHooks({ settings: config.hooks, secret: config.hookSecret, clock, log })
  const directory = earlier.directory.path
  addServerChecks(checks, {
    config,
    clock,
    directory,
    store,
    redis,
    models,
    upstreams,
    ledger,
    hasConfigChanged,
    workerCounts,
  })
  const openEndpoint = openGeneration({
    ...{ config, clock, models, limiter, ledger, refusals, bodies, replays, hooks, cached, disk, closers },
    answerUse: earlier.memory.answers,
  })
  const library = new ModelLibrary({ config, models, audit: store.audit, clock, log })
  closers.add(() => library.close())
  const readers = openApiBodyReaders({ clock, bodyLimitBytes: config.bodyLimitBytes })
  closers.add(() => readers.close())
  const responses = openResponses({ clock, log, responses: store.responses, readers, node, closers })
  const inputs = openInputsEndpoints({ config, clock, models, limiter, ledger, bodies, readers, hooks })
  const recorded = (endpoint: keyof InputsHandlers) => ({
    handle: inputs[endpoint],
    onError: createRecordRefusal({ refusals, clock, endpoint }),
  })
  return createRoutes({
    ...{
      config,
      clock,
      store,
      models,
      library,
      upstreams,
      node,
      findPrice,
      bodies,
      notifier,
      ledger,
      readers,
      site,
      siteUrl,
      redis,
      webhooks,
      secrets: earlier.secrets,
      settings: earlier.settings,
    },
    announceSecrets: () => messages?.publish('secrets', []),
    limiter: {
      ...limiter,
      forget(organisationId) {
        limiter.forget(organisationId)
        messages?.publish('limits', [organisationId])
      },
    },
    keys: access.keys,
    accounts: access.accounts,
    ...openDialects(openEndpoint, { clock, completions: store.completions, readers }),
    responses: openEndpoint(responses.dialect),
    inputTokens: responses.inputTokens,
    embeddings: recorded('embeddings'),
    rerank: recorded('rerank'),
    score: recorded('score'),
    stop: delay,
    checks,
    collectSupport: createCollectSupport(context, earlier.settings),
    showMetrics: earlier.showMetrics,
    certificateEndsAt,
    hasConfigChanged,
  })
}

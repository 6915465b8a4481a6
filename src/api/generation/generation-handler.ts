import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Replays } from '../../replay/replays.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import { type AcceptDependencies, acceptRequest, type ModelEndpoint } from './accept/accept-request.ts'
import {
  longestTextBytes,
  modelContexts,
  modelWordLimits,
  responsesModelsOf,
  upstreamModelsOf,
} from './accept/model-contexts.ts'
import { refuseUnsupported } from './accept/refuse-unsupported.ts'
import { describeGeneration, traceAccepted } from './accept/trace-request.ts'
import { callerIdempotencyKey } from './accept/with-precheck.ts'
import { type CachePolicy, mayCache, readCacheWish } from './cache/cache-policy.ts'
import type { CompletionCaller } from './completion-caller.ts'
import { withDeadline } from './delivery/deadline.ts'
import { openDirectDelivery } from './delivery/direct-delivery.ts'
import { handleIdempotentRequest } from './delivery/handle-idempotent-request.ts'
import type { RecordingSizes } from './delivery/recording-sizes.ts'
import type { Dialect } from './dialect.ts'
import type { AcceptedRequest, ExecuteRequest } from './execute-request.ts'
import type { Hooked, Hooks } from './hooks/open-hooks.ts'
import type { GenerationRequest } from './request/generation-request.ts'
import { unpackRequest } from './request/pack-request.ts'

/**
 * The handler of an endpoint that generates text: validates a request, then has it executed and delivered to its connection.
 * The steps that follow are those of `execute-request.ts`.
 */
export type GenerationDependencies = AcceptDependencies & {
  bodies: Pick<BodyWriter, 'isKept'>
  replays: Pick<Replays, 'open' | 'isKnown'>
  sizes: RecordingSizes
  execute: ExecuteRequest
  /** Absent: there are none. */
  hooks?: Hooks | undefined
  /** Absent: no answers are cached. */
  caching?: CachePolicy | undefined
  clock: Clock
  generationTimeoutMs: number
  heartbeatMs: number
  stallTimeoutMs: number
}

export type GenerationHandler = (exchange: Exchange, caller: CompletionCaller) => Promise<void>

export const createGenerationHandler = <Request extends GenerationRequest, Document extends object>(
  dialect: Dialect<Request, Document>,
  dependencies: GenerationDependencies,
): GenerationHandler => {
  const endpoint = createEndpoint(dialect, dependencies)
  return (exchange, caller) =>
    acceptRequest(exchange, caller, endpoint, dependencies, async ({ request: sent, pool, pending, progress }) => {
      const hooked = await runHooks(sent, { exchange, caller, dialect, model: pool.model.id, progress }, dependencies)
      const { request: asked, rewrite, replaced } = hooked
      const accepted: AcceptedRequest = {
        // From here on an alias is the model that it stands for.
        request: { ...asked, model: pool.model.id },
        pool,
        caller,
        pending,
        dialect,
        openAnswer: (answer) => ({
          formatter: dialect.openFormatter(asked, answer),
          storage: asked.store ? (dialect.storage?.open(asked, answer) ?? null) : null,
        }),
        answerId: dialect.newAnswerId(),
        progress,
        trace: exchange.trace,
        rewrite,
        replaced,
        cacheWish: dependencies.caching === undefined ? null : readCacheWish(exchange.request.headers),
      }
      const { request, answerId } = accepted
      traceAccepted(exchange.trace, dialect.endpoint, request.model, () => describeGeneration(request, answerId))
      const idempotencyKey = callerIdempotencyKey(exchange, caller)
      if (idempotencyKey === null) await answerDirectly(exchange, accepted, dependencies)
      else await handleIdempotentRequest(exchange, { ...accepted, idempotencyKey }, dependencies)
    })
}

type HookedRequest = Pick<AcceptedRequest, 'caller' | 'progress'> & {
  exchange: Exchange
  dialect: Pick<Dialect, 'endpoint'>
  model: string
}

const runHooks = async <Request extends GenerationRequest>(
  request: Request,
  { exchange, caller, dialect, model, progress }: HookedRequest,
  { hooks }: Pick<GenerationDependencies, 'hooks'>,
): Promise<Hooked<Request>> => {
  if (hooks === undefined) return { request, rewrite: undefined, replaced: null }
  const { organisationId, key } = caller
  const endpoint = key === null ? 'playground' : dialect.endpoint
  const context = { requestId: exchange.requestId, organisationId, keyId: key?.id ?? null, endpoint, model }
  const hooked = await hooks.before(request, context, { progress, signal: exchange.signal })
  if (progress.hooks !== undefined) exchange.response.setHeader('x-helix-hooks', progress.hooks)
  return hooked
}

const createEndpoint = <Request extends GenerationRequest, Document extends object>(
  { endpoint, reader, resolve, headers }: Dialect<Request, Document>,
  { models, bodies, replays, caching, hooks }: GenerationDependencies,
): ModelEndpoint<Request> => ({
  kind: 'chat',
  replays,
  async read(blocks, { caller, strict, exchange }) {
    const { organisationId, ownerId, key } = caller
    const { headers: sent } = exchange.request
    const hash =
      (key !== null && sent['idempotency-key'] !== undefined) ||
      (caching !== undefined && mayCache(caching, caller, readCacheWish(sent)))
    const contexts = modelContexts(models.list(), key)
    const maxTextBytes = longestTextBytes(models.list(), contexts)
    const upstreamModels = upstreamModelsOf(models.list())
    const needs = {
      hash,
      copy: bodies.isKept(organisationId) || exchange.trace?.hasContent === true,
      strict,
      contexts,
      // Hooks may shorten a prompt.
      ...(hooks === undefined ? { wordLimits: modelWordLimits(models.list(), contexts) } : {}),
      maxTextBytes,
      upstreamModels,
      ...(endpoint === 'responses' ? { responsesModels: responsesModelsOf(models.list()) } : {}),
    }
    const request = unpackRequest(await reader.read(blocks, { ownerId, needs, exchange }))
    return resolve === undefined ? request : resolve(request, caller)
  },
  ...(headers === undefined ? {} : { headers }),
  generates: ({ stream, store, n, sampling: { temperature } }) => ({ stream, store, choices: n, temperature }),
  ignores: ({ sampling: { temperature, topP } }, { leavesOutTopP = false }) =>
    leavesOutTopP && temperature !== null && topP !== null ? ['top_p'] : [],
  check: refuseUnsupported,
})

/** To the connection of the request: once it is closed, the answer is not wanted any more. */
const answerDirectly = async (
  exchange: Exchange,
  accepted: AcceptedRequest,
  { execute, clock, generationTimeoutMs, heartbeatMs, stallTimeoutMs }: GenerationDependencies,
): Promise<void> => {
  const { requestId, startedMs } = exchange
  await withDeadline(exchange.signal, generationTimeoutMs, clock, async (signal, deadline) => {
    const delivery = openDirectDelivery(exchange, {
      clock,
      heartbeatMs,
      stallTimeoutMs,
      signal,
      isStream: accepted.request.stream,
      earlyHeaders: accepted.pending.headers,
    })
    try {
      await execute({ ...accepted, requestId, startedMs, signal, deadline, delivery, isClaimed: false })
    } catch (error) {
      delivery.setHeaders()
      throw error
    }
  })
}

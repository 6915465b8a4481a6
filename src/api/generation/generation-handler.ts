import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { shownModelName } from '../../base/model-name.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBlocks } from '../../http/read-json.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { Models } from '../../models/contract.ts'
import type { Replays } from '../../replay/replays.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import { refuseForbidden, requireModelKind } from './accept/check-model.ts'
import { contextsOf, maxTextBytesOf } from './accept/contexts-of.ts'
import { isStrict, reportIgnoredFields } from './accept/ignored-fields.ts'
import { refuseUnsupported } from './accept/refuse-unsupported.ts'
import { idempotencyKeyOf, withPrecheck } from './accept/with-precheck.ts'
import type { CompletionCaller } from './completion-caller.ts'
import { withDeadline } from './delivery/deadline.ts'
import { openDirectDelivery } from './delivery/direct-delivery.ts'
import { handleIdempotentRequest } from './delivery/handle-idempotent-request.ts'
import type { RecordingSizes } from './delivery/recording-sizes.ts'
import type { Dialect } from './dialect.ts'
import type { AcceptedRequest, ExecuteRequest } from './execute-request.ts'
import type { GenerationRequest } from './request/generation-request.ts'

/**
 * The handler of an endpoint that generates text: validates a request, then has it executed and delivered to its connection.
 * The steps that follow are those of `execute-request.ts`.
 */
export type GenerationDependencies = {
  models: Pick<Models, 'find' | 'list'>
  limiter: Pick<Limiter, 'precheck'>
  bodies: Pick<BodyWriter, 'isKept'>
  replays: Pick<Replays, 'open' | 'isKnown'>
  sizes: RecordingSizes
  execute: ExecuteRequest
  clock: Clock
  bodyLimitBytes: number
  generationTimeoutMs: number
  heartbeatMs: number
  stallTimeoutMs: number
  strictRequests: boolean
}

export type GenerationHandler = (exchange: Exchange, caller: CompletionCaller) => Promise<void>

export const createGenerationHandler =
  <Request extends GenerationRequest, Document extends object>(
    dialect: Dialect<Request, Document>,
    dependencies: GenerationDependencies,
  ): GenerationHandler =>
  (exchange, caller) =>
    withPrecheck(exchange, caller, dependencies, async (pending, progress) => {
      const asked = await readRequestOf(exchange, caller, dialect, dependencies)
      for (const [name, value] of Object.entries(dialect.headers?.(asked) ?? {}))
        exchange.response.setHeader(name, value)
      reportIgnoredFields(exchange, asked.ignoredFields)
      const pool = dependencies.models.find(asked.model)
      if (pool === null) throw ApiError.of('model_not_found', { model: shownModelName(asked.model) })
      // From here on an alias is the model that it stands for.
      const request = { ...asked, model: pool.model.id }
      Object.assign(progress, { model: request.model, stream: request.stream })
      refuseForbidden(caller.key, asked, pool)
      requireModelKind(pool, 'chat')
      refuseUnsupported(request, pool.model)
      const openAnswer: AcceptedRequest['openAnswer'] = (answer) => ({
        formatter: dialect.openFormatter(asked, answer),
        storage: asked.store ? (dialect.storage?.open(asked, answer) ?? null) : null,
      })
      const answerId = dialect.newAnswerId()
      const accepted = { request, pool, caller, pending, dialect, openAnswer, answerId, progress }
      const idempotencyKey = idempotencyKeyOf(exchange, caller)
      if (idempotencyKey === null) await answerDirectly(exchange, accepted, dependencies)
      else await handleIdempotentRequest(exchange, { ...accepted, idempotencyKey }, dependencies)
    })

const readRequestOf = async <Request extends GenerationRequest>(
  exchange: Exchange,
  caller: CompletionCaller,
  { reader, resolve }: Pick<Dialect<Request>, 'reader' | 'resolve'>,
  { models, bodies, bodyLimitBytes, strictRequests }: GenerationDependencies,
): Promise<Request> => {
  const { organisationId, ownerId, key } = caller
  const blocks = await readJsonBlocks(exchange, bodyLimitBytes)
  const hash = key !== null && exchange.request.headers['idempotency-key'] !== undefined
  const strict = isStrict(exchange, strictRequests)
  const contexts = contextsOf(models.list(), key)
  const maxTextBytes = maxTextBytesOf(models.list(), contexts)
  const needs = { hash, copy: bodies.isKept(organisationId), strict, contexts, maxTextBytes }
  const request = await reader.read(blocks, { ownerId, needs, exchange })
  return resolve === undefined ? request : resolve(request, caller)
}

/** To the connection of the request: once it is closed, the answer is not wanted any more. */
const answerDirectly = async (
  exchange: Exchange,
  accepted: AcceptedRequest,
  { execute, clock, generationTimeoutMs, heartbeatMs, stallTimeoutMs }: GenerationDependencies,
): Promise<void> => {
  const { requestId, startedMs } = exchange
  await withDeadline(exchange.signal, generationTimeoutMs, clock, async (signal) => {
    const delivery = openDirectDelivery(exchange, {
      clock,
      heartbeatMs,
      stallTimeoutMs,
      signal,
      isStream: accepted.request.stream,
      earlyHeaders: accepted.pending.headers,
    })
    try {
      await execute({ ...accepted, requestId, startedMs, signal, delivery, isClaimed: false })
    } catch (error) {
      delivery.setHeaders()
      throw error
    }
  })
}

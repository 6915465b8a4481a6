import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { shownModelName } from '../../base/model-name.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJsonBlocks } from '../../http/read-json.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { Models } from '../../models/contract.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import { refuseForbidden, requireModelKind } from '../generation/accept/check-model.ts'
import { isStrict, reportIgnoredFields } from '../generation/accept/ignored-fields.ts'
import { withPrecheck } from '../generation/accept/with-precheck.ts'
import type { CompletionCaller } from '../generation/completion-caller.ts'
import { withDeadline } from '../generation/delivery/deadline.ts'
import type { ExecuteEmbeddings } from './execute-embeddings.ts'
import { refuseImpossible } from './refuse-impossible.ts'
import type { EmbeddingRequestReader } from './request/embedding-request-reader.ts'
import type { EmbeddingRequest } from './request/read-embedding-request.ts'

/** `POST /v1/embeddings`: validates a request and has it executed, in the same steps as a chat completion. */
export type EmbeddingsDependencies = {
  models: Pick<Models, 'find' | 'list'>
  limiter: Pick<Limiter, 'precheck'>
  requestReader: Pick<EmbeddingRequestReader, 'read'>
  bodies: Pick<BodyWriter, 'isKept'>
  execute: ExecuteEmbeddings
  clock: Clock
  bodyLimitBytes: number
  generationTimeoutMs: number
  answerLimitBytes: number
  strictRequests: boolean
}

export type Embeddings = (exchange: Exchange, caller: CompletionCaller) => Promise<void>

/** An Idempotency-Key has no effect: the same inputs have the same vectors. */
const replays = { isKnown: async () => false }

export const createEmbeddings =
  (dependencies: EmbeddingsDependencies): Embeddings =>
  (exchange, caller) => {
    const { models, limiter, execute, clock, generationTimeoutMs, answerLimitBytes } = dependencies
    return withPrecheck(exchange, caller, { models, limiter, replays }, async (pending, progress) => {
      const request = await readRequestOf(exchange, caller, dependencies)
      reportIgnoredFields(exchange, request.ignoredFields)
      const pool = models.find(request.model)
      if (pool === null) throw ApiError.of('model_not_found', { model: shownModelName(request.model) })
      Object.assign(progress, { model: pool.model.id, stream: false })
      refuseForbidden(caller.key, { model: request.model, store: false }, pool)
      requireModelKind(pool, 'embedding')
      refuseImpossible(request, pool.model, answerLimitBytes)
      await withDeadline(exchange.signal, generationTimeoutMs, clock, (signal) =>
        execute({ exchange, request, pool, caller, pending, progress, signal }),
      )
    })
  }

const readRequestOf = async (
  exchange: Exchange,
  { organisationId, ownerId }: CompletionCaller,
  { bodies, bodyLimitBytes, requestReader, strictRequests }: EmbeddingsDependencies,
): Promise<EmbeddingRequest> => {
  const blocks = await readJsonBlocks(exchange, bodyLimitBytes)
  const needs = { copy: bodies.isKept(organisationId), strict: isStrict(exchange, strictRequests) }
  return requestReader.read(blocks, { ownerId, needs, exchange })
}

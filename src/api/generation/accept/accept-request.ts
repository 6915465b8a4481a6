import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../../base/api-error.ts'
import { shownModelName } from '../../../base/model-name.ts'
import type { ModelKind, ServedModel } from '../../../engine/contract.ts'
import type { ReadingExchange } from '../../../http/body-readers.ts'
import type { Exchange } from '../../../http/exchange.ts'
import type { BodyBlocks } from '../../../http/read-body.ts'
import { readJsonBlocks } from '../../../http/read-json.ts'
import type { Limiter, PendingRequest } from '../../../limits/limiter-contract.ts'
import type { ModelPool, Models } from '../../../models/contract.ts'
import type { Replays } from '../../../replay/replays.ts'
import type { CompletionCaller } from '../completion-caller.ts'
import type { CompletionProgress } from '../completion-progress.ts'
import type { FieldNeeds, ReadFields } from '../request/read-fields.ts'
import { refuseForbidden, requireModelKind } from './check-model.ts'
import { isStrict, reportIgnoredFields } from './ignored-fields.ts'
import { withPrecheck } from './with-precheck.ts'

export type AcceptDependencies = {
  models: Pick<Models, 'find' | 'list'>
  limiter: Pick<Limiter, 'precheck'>
  bodyLimitBytes: number
  strictRequests: boolean
  /** Only in a worker. */
  elsewhere?: Elsewhere
}

/** What is generated, as far as it decides who can do it. */
type Generated = { stream: boolean; store: boolean; choices?: number; temperature?: number | null }

type Asked = { caller: CompletionCaller; headers: IncomingHttpHeaders }

/** Requests that another thread has to answer. */
export type Elsewhere = {
  isElsewhere(pool: ModelPool | null, generated: Generated, asked: Asked): boolean
  /** `body`: as it was received. */
  answer(exchange: Exchange, body: Uint8Array): Promise<void>
}

/** What every request to a model has, whatever the endpoint. */
export type ModelRequest = { model: string } & Pick<ReadFields<unknown>, 'ignoredFields'>

type ReadOptions<Caller> = FieldNeeds & {
  caller: Caller
  exchange: ReadingExchange & Pick<Exchange, 'request' | 'trace'>
}

/** What an endpoint says about itself, for the steps before its work begins. */
export type ModelEndpoint<Request extends ModelRequest, Caller extends CompletionCaller = CompletionCaller> = {
  /** Null: any. */
  kind: ModelKind | null
  /** The recordings that an Idempotency-Key may refer to. Without them the header has no effect. */
  replays?: Pick<Replays, 'isKnown'>
  read(blocks: BodyBlocks, options: ReadOptions<Caller>): Promise<Request>
  /** Further response headers, known once the body is read. */
  headers?(request: Request): Record<string, string>
  /** What is generated. Absent: nothing is streamed or stored. */
  generates?(request: Request): Generated
  /** Refuses what the model cannot do, before it is loaded. */
  check?(request: Request, model: ServedModel): void
  /** Known fields that have no effect on this model, or not beside others of the request; reported like unknown ones. */
  ignores?(request: Request, model: ServedModel): readonly string[]
}

/** A valid request of a caller who may make it, for a model of the right kind. */
export type Accepted<Request> = {
  request: Request
  pool: ModelPool
  pending: PendingRequest
  progress: CompletionProgress
}

const noReplays = { isKnown: async () => false }

/**
 * The first steps of every endpoint that uses a model: precheck, read, find the model, refuse what the key or the model does
 * not allow. `answer` does the rest.
 */
export const acceptRequest = <Request extends ModelRequest, Caller extends CompletionCaller>(
  exchange: Exchange,
  caller: Caller,
  endpoint: ModelEndpoint<Request, Caller>,
  { models, limiter, bodyLimitBytes, strictRequests, elsewhere }: AcceptDependencies,
  answer: (accepted: Accepted<Request>) => Promise<void>,
): Promise<void> => {
  const { replays = noReplays } = endpoint
  return withPrecheck(exchange, caller, { models, limiter, replays }, async (pending, progress) => {
    const blocks = await readJsonBlocks(exchange, bodyLimitBytes)
    // Only what was read tells the model, and reading frees the blocks.
    let received = elsewhere === undefined ? null : Buffer.concat(blocks)
    const read = await endpoint.read(blocks, { caller, strict: isStrict(exchange, strictRequests), exchange })
    const pool = models.find(read.model)
    const ignoredByModel = pool === null ? [] : (endpoint.ignores?.(read, pool.model) ?? [])
    const request = { ...read, ignoredFields: [...read.ignoredFields, ...ignoredByModel] }
    for (const [name, value] of Object.entries(endpoint.headers?.(request) ?? {}))
      exchange.response.setHeader(name, value)
    reportIgnoredFields(exchange, request.ignoredFields)
    const generated = endpoint.generates?.(request) ?? { stream: false, store: false }
    const { headers } = exchange.request
    if (received !== null && elsewhere?.isElsewhere(pool, generated, { caller, headers })) {
      pending.release()
      return elsewhere.answer(exchange, received)
    }
    received = null
    if (pool === null) throw ApiError.of('model_not_found', { model: shownModelName(request.model) })
    const { stream, store } = generated
    progress.model = pool.model.id
    progress.stream = stream
    refuseForbidden(caller.key, { model: request.model, store }, pool)
    if (endpoint.kind !== null) requireModelKind(pool, endpoint.kind)
    endpoint.check?.(request, pool.model)
    await answer({ request, pool, pending, progress })
  })
}

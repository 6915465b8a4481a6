import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { shownModelName } from '../../base/model-name.ts'
import type { Engine, EngineCaller, ServedModel } from '../../engine/contract.ts'
import type { ReadingExchange } from '../../http/body-reader.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { BodyBlocks } from '../../http/read-body.ts'
import { readJsonBlocks } from '../../http/read-json.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { Models } from '../../models/contract.ts'
import { refuseForbidden, requireModelKind } from './accept/check-model.ts'
import { isStrict, reportIgnoredFields } from './accept/ignored-fields.ts'
import { withPrecheck } from './accept/with-precheck.ts'
import { engineCallerOf } from './completion-caller.ts'
import { setLimitHeaders } from './delivery/connection.ts'
import { withDeadline } from './delivery/deadline.ts'
import type { FieldNeeds, ReadFields } from './request/read-fields.ts'

export type PromptDependencies = {
  models: Pick<Models, 'find' | 'list'>
  limiter: Pick<Limiter, 'precheck'>
  clock: Clock
  bodyLimitBytes: number
  generationTimeoutMs: number
  strictRequests: boolean
}

type PromptRequest = { model: string } & Pick<ReadFields<unknown>, 'ignoredFields'>

type ReadOptions = FieldNeeds & { caller: KeyCaller; exchange: ReadingExchange }

/** An endpoint that answers something about a prompt, such as how many tokens it has. */
export type PromptEndpoint<Request extends PromptRequest> = {
  read(blocks: BodyBlocks, options: ReadOptions): Promise<Request>
  /** Refuses what the model cannot do, before it is loaded. */
  check?(request: Request, model: ServedModel): void
  answer(request: Request, engine: Engine, caller: EngineCaller, signal: AbortSignal): Promise<object>
}

/** An Idempotency-Key has no effect: nothing is generated. */
const replays = { isKnown: async () => false }

/** Without tokens, no limit is checked after the precheck. */
const onlyCheck = (limiter: PromptDependencies['limiter']): PromptDependencies['limiter'] => ({
  precheck: (caller, precheck) => limiter.precheck(caller, { ...precheck, isOnlyCheck: true }),
})

/** Nothing is generated or billed, but it is work: it counts as a request per minute and as one in flight. */
export const createPromptHandler =
  <Request extends PromptRequest>(
    endpoint: PromptEndpoint<Request>,
    { models, limiter, clock, bodyLimitBytes, generationTimeoutMs, strictRequests }: PromptDependencies,
  ) =>
  (exchange: Exchange, caller: KeyCaller): Promise<void> =>
    withPrecheck(exchange, caller, { models, limiter: onlyCheck(limiter), replays }, async (pending, progress) => {
      const blocks = await readJsonBlocks(exchange, bodyLimitBytes)
      const strict = isStrict(exchange, strictRequests)
      const request = await endpoint.read(blocks, { caller, strict, exchange })
      reportIgnoredFields(exchange, request.ignoredFields)
      const pool = models.find(request.model)
      if (pool === null) throw ApiError.of('model_not_found', { model: shownModelName(request.model) })
      Object.assign(progress, { model: pool.model.id, stream: false })
      refuseForbidden(caller.key, { model: request.model, store: false }, pool)
      requireModelKind(pool, 'chat')
      endpoint.check?.(request, pool.model)
      pending.admitWithoutTokens()
      setLimitHeaders(exchange, pending.headers())
      await withDeadline(exchange.signal, generationTimeoutMs, clock, async (signal) => {
        const { engine, release } = await pool.use(signal)
        try {
          sendJson(exchange, 200, await endpoint.answer(request, engine, engineCallerOf(caller), signal))
        } finally {
          release()
        }
      })
    })

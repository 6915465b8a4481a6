import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { shownModelName } from '../../base/model-name.ts'
import type { Engine, EngineCaller, ServedModel } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { ModelPool } from '../../models/contract.ts'
import type { KeyCaller } from '../../operations/callers.ts'
import {
  type AcceptDependencies,
  acceptRequest,
  type ModelEndpoint,
  type ModelRequest,
} from './accept/accept-request.ts'
import { refuseForbidden, requireModelKind } from './accept/check-model.ts'
import { withPrecheck } from './accept/with-precheck.ts'
import { toEngineCaller } from './completion-caller.ts'
import { setLimitHeaders } from './delivery/connection.ts'
import { withDeadline } from './delivery/deadline.ts'

export type PromptDependencies = AcceptDependencies & { clock: Clock; generationTimeoutMs: number }

/** An endpoint that answers something about a prompt, such as how many tokens it has. */
export type PromptEndpoint<Request extends ModelRequest> = Pick<ModelEndpoint<Request, KeyCaller>, 'read' | 'check'> & {
  /** Default: chat. */
  kind?: ModelEndpoint<Request>['kind']
  answer(request: Request, engine: Engine, caller: EngineCaller, signal: AbortSignal): Promise<object>
}

/** Without tokens, no limit is checked after the precheck. */
const onlyCheck = (limiter: PromptDependencies['limiter']): PromptDependencies['limiter'] => ({
  precheck: (caller, precheck) => limiter.precheck(caller, { ...precheck, isOnlyCheck: true }),
})

/**
 * Nothing is generated or billed, but the work counts as a request per minute and as a request in flight. An
 * Idempotency-Key has no effect.
 */
export const createPromptHandler = <Request extends ModelRequest>(
  { answer, ...endpoint }: PromptEndpoint<Request>,
  { clock, generationTimeoutMs, ...rest }: PromptDependencies,
) => {
  const dependencies = { ...rest, limiter: onlyCheck(rest.limiter) }
  return (exchange: Exchange, caller: KeyCaller): Promise<void> =>
    acceptRequest(exchange, caller, { kind: 'chat', ...endpoint }, dependencies, ({ request, pool, pending }) => {
      pending.admitWithoutTokens()
      setLimitHeaders(exchange, pending.headers())
      return withDeadline(exchange.signal, generationTimeoutMs, clock, (signal) =>
        withEngine(pool, signal, async (engine) =>
          sendJson(exchange, 200, await answer(request, engine, toEngineCaller(caller, exchange.trace), signal)),
        ),
      )
    })
}

/** An endpoint without a body that answers something about a model that Helix runs itself. */
type ModelInfoEndpoint = {
  /** The name of the model that is asked for. */
  modelOf(exchange: Exchange, caller: KeyCaller): string
  check(model: ServedModel): void
  answer(engine: Engine): object
}

/** The same for such an endpoint. */
export const createModelInfoHandler = (
  { modelOf, check, answer }: ModelInfoEndpoint,
  { clock, generationTimeoutMs, ...rest }: PromptDependencies,
) => {
  const dependencies = { ...rest, limiter: onlyCheck(rest.limiter), replays: { isKnown: async () => false } }
  return (exchange: Exchange, caller: KeyCaller): Promise<void> =>
    withPrecheck(exchange, caller, dependencies, async (pending, progress) => {
      const model = modelOf(exchange, caller)
      const pool = rest.models.find(model)
      if (pool === null) throw ApiError.of('model_not_found', { model: shownModelName(model) })
      progress.model = pool.model.id
      refuseForbidden(caller.key, { model, store: false }, pool)
      requireModelKind(pool, 'chat')
      check(pool.model)
      pending.admitWithoutTokens()
      setLimitHeaders(exchange, pending.headers())
      await withDeadline(exchange.signal, generationTimeoutMs, clock, (signal) =>
        withEngine(pool, signal, async (engine) => sendJson(exchange, 200, answer(engine))),
      )
    })
}

const withEngine = async (
  pool: Pick<ModelPool, 'use'>,
  signal: AbortSignal,
  work: (engine: Engine) => Promise<void>,
): Promise<void> => {
  const { engine, release } = await pool.use(signal)
  try {
    await work(engine)
  } finally {
    release()
  }
}

import type { Clock } from '../../base/clock.ts'
import type { Engine, EngineCaller } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../operations/callers.ts'
import {
  type AcceptDependencies,
  acceptRequest,
  type ModelEndpoint,
  type ModelRequest,
} from './accept/accept-request.ts'
import { toEngineCaller } from './completion-caller.ts'
import { setLimitHeaders } from './delivery/connection.ts'
import { withDeadline } from './delivery/deadline.ts'

export type PromptDependencies = AcceptDependencies & { clock: Clock; generationTimeoutMs: number }

/** An endpoint that answers something about a prompt, such as how many tokens it has. */
export type PromptEndpoint<Request extends ModelRequest> = Pick<ModelEndpoint<Request, KeyCaller>, 'read' | 'check'> & {
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
      return withDeadline(exchange.signal, generationTimeoutMs, clock, async (signal) => {
        const { engine, release } = await pool.use(signal)
        try {
          sendJson(exchange, 200, await answer(request, engine, toEngineCaller(caller), signal))
        } finally {
          release()
        }
      })
    })
}

import type { Exchange } from '../../http/exchange.ts'
import { cutText } from '../../usage/body-writer.ts'
import type { Accepted } from '../generation/accept/accept-request.ts'
import type { CompletionCaller } from '../generation/completion-caller.ts'
import type { HookText } from '../generation/hooks/hook.ts'
import type { Hooks } from '../generation/hooks/open-hooks.ts'
import type { InputsEndpoint, InputsRequest } from './inputs-endpoint.ts'

type HookedInputs<Request> = Pick<Accepted<Request>, 'request' | 'pool' | 'progress'> & {
  exchange: Exchange
  caller: CompletionCaller
  signal: AbortSignal
}

/** What hooks leave of the request. Throws if they block it. */
export const hookedInputs = async <Request extends InputsRequest, Result>(
  { request, pool, progress, exchange, caller, signal }: HookedInputs<Request>,
  { name, mapTexts }: Pick<InputsEndpoint<Request, Result>, 'name' | 'mapTexts'>,
  hooks: Hooks,
): Promise<Request> => {
  const { organisationId, key } = caller
  const called = { requestId: exchange.requestId, organisationId, keyId: key?.id ?? null, model: pool.model.id }
  const texts: HookText[] = []
  mapTexts(request, (text, role) => {
    texts.push({ role, text })
    return text
  })
  const context = { ...called, endpoint: key === null ? 'playground' : name }
  const replaced = await hooks.beforeInputs(texts, context, { progress, signal })
  if (progress.hooks !== undefined) exchange.response.setHeader('x-helix-hooks', progress.hooks)
  if (replaced === null) return request
  const left = replaced.values()
  const changed = mapTexts(request, (text) => left.next().value ?? text)
  // What was sent is not kept.
  return { ...changed, bodyCopy: request.bodyCopy && cutText(JSON.stringify({ texts: replaced })) }
}

import type { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { type PlaygroundCall, playgroundOperations } from '../contract/playground.ts'

/** The handler of the same call in `/v1`, and what it does with an error. Errors have the form of all of `/platform`. */
type PlaygroundHandler = {
  handle(exchange: Exchange, caller: { organisationId: string; ownerId: string; key: null }): Promise<void> | void
  onError?: (exchange: Exchange, error: ApiError) => void
}
export type PlaygroundHandlers = Readonly<Record<PlaygroundCall, PlaygroundHandler>>

/** Calls of the API that a signed-in member sends from the playground or the API reference, without a key. */
export const createCallRoutes = (handlers: PlaygroundHandlers): Route[] =>
  callNames.map((name) => {
    const { handle, onError } = handlers[name]
    const route = createRoute(playgroundOperations[name], ({ exchange, caller: { organisationId, ownerId } }) =>
      handle(exchange, { organisationId, ownerId, key: null }),
    )
    return onError === undefined ? route : { ...route, onError }
  })

const callNames = [
  'completeInPlayground',
  'respondInPlayground',
  'messageInPlayground',
  'continueInPlayground',
  'embedInPlayground',
  'rerankInPlayground',
  'scoreInPlayground',
  'listModelsInPlayground',
] as const satisfies readonly PlaygroundCall[]

import type { Exchange } from '../../http/exchange.ts'
import type { Member } from '../../http/route.ts'

/** What answers `POST /v1/chat/completions`, whoever is asking. */
export type Complete = (exchange: Exchange, caller: { organisationId: string; key: null }) => Promise<void>

/** `POST /platform/playground/chat/completions`: the API's own handler, for the organisation of the session. */
export const createPlayground =
  (complete: Complete) =>
  (exchange: Exchange, { organisationId }: Member): Promise<void> =>
    complete(exchange, { organisationId, key: null })

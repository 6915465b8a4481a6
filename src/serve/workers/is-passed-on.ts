import type { IncomingMessage } from 'node:http'
import type { HttpRoute } from '../../http/route.ts'

type PassedOnOptions = {
  routes: readonly HttpRoute[]
  /** The paths on which an Idempotency-Key has no effect. */
  unreplayed: ReadonlySet<string>
}

/** Which requests a worker passes on unread: all but those for its own routes, and those whose answers can be replayed. */
export const createIsPassedOn = ({ routes, unreplayed }: PassedOnOptions): ((request: IncomingMessage) => boolean) => {
  const paths = new Set(routes.map(({ path }) => path))
  return ({ method, url = '', headers }) =>
    method !== 'POST' || !paths.has(url) || (headers['idempotency-key'] !== undefined && !unreplayed.has(url))
}

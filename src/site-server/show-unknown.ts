import type { Exchange } from '../http/exchange.ts'
import type { Site } from './open-site.ts'
import { sendDocument } from './send-document.ts'

/** A person whose browser asked for a page that is not there sees one that says so; false leaves the answer to others. */
export const showUnknown = ({ state }: Site, exchange: Exchange, path: string): boolean => {
  if (state.kind !== 'ready' || !isVisit(exchange) || forPrograms.test(path)) return false
  sendDocument(exchange, state.site, 'not-found', 404)
  return true
}

/** Whoever calls these reads JSON, whatever the Accept header says. */
const forPrograms = /^\/(v1|platform|control|assets)(\/|$)/

const isVisit = ({ request }: Exchange): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && /\btext\/html\b/.test(request.headers.accept ?? '')

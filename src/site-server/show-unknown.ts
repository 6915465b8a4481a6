import type { Exchange } from '../http/exchange.ts'
import type { Site } from './open-site.ts'
import { sendDocument } from './send-document.ts'

/** Shows the not-found page to browsers; returns false if the response is left to others. */
export const showUnknown = ({ state }: Site, exchange: Exchange, path: string): boolean => {
  if (state.kind !== 'ready' || !isVisit(exchange) || forPrograms.test(path)) return false
  sendDocument(exchange, state.site, 'not-found', 404)
  return true
}

/** Clients of these paths read JSON, whatever the Accept header says. */
const forPrograms = /^\/(v1|platform|control|assets)(\/|$)/

const isVisit = ({ request }: Exchange): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && /\btext\/html\b/.test(request.headers.accept ?? '')

import type { Exchange } from '../http/exchange.ts'
import type { Site } from './open-site.ts'
import { appPages, publicPages } from './pages.ts'
import { sendDocument } from './send-document.ts'

/** Shows the not-found page to browsers, or takes them to the page that they meant; returns false if the response is left to others. */
export const showUnknown = ({ state }: Site, exchange: Exchange, path: string): boolean => {
  if (state.site === null || !isVisit(exchange) || forPrograms.test(path)) return false
  const meant = path.replace(/\/$/, '')
  const query = /\?.*/.exec(exchange.request.url ?? '')?.[0] ?? ''
  if (pages.has(meant)) exchange.response.writeHead(308, { location: `${meant}${query}`, 'content-length': 0 }).end()
  else sendDocument(exchange, state.site, 'not-found', { status: 404 })
  return true
}

/** Their addresses do not end in a slash, but some people type one. */
const pages: ReadonlySet<string> = new Set<string>([...publicPages, ...appPages])

/** Clients of these paths read JSON, whatever the Accept header says. */
const forPrograms = /^\/(v1|platform|control|assets)(\/|$)/

const isVisit = ({ request }: Exchange): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && /\btext\/html\b/.test(request.headers.accept ?? '')

import type { IncomingMessage } from 'node:http'
import type { AppPage, AppView } from './pages.ts'

/**
 * What the pages of the console ask for as soon as their scripts run, as far as it is the same for every reader. A
 * browser that was told with the document has the answers by then; it uses each once, in place of the page's first call.
 */
const pageCalls: Partial<Record<AppPage, readonly string[]>> = {
  // Not all: the sentence comes from one more call, which the document makes itself, and browsers make six at once.
  '/home': ['/limits'],
  '/keys': ['/keys'],
  '/requests': ['/requests?limit=50', '/requests/times', '/keys'],
  '/limits': ['/limits'],
  '/models': ['/models'],
  '/playground': ['/playground/draft'],
  '/playground/compare': ['/playground/draft'],
  // Not invitations, which only admins may see: a refused call is an error in the console of the browser.
  '/team': ['/organisation/members', '/organisation/bodies', '/organisation/rules'],
  '/audit': ['/audit'],
  '/webhooks': ['/webhooks'],
  '/settings': ['/account/sign-in-methods', '/account/sessions'],
  '/admin': ['/admin/overview?days=30'],
  '/admin/accounts': ['/admin/accounts'],
  '/admin/organisations': ['/admin/limits', '/admin/organisations'],
  '/admin/models': ['/admin/model-pulls', '/admin/models'],
  '/admin/upstreams': ['/admin/upstreams'],
  '/admin/nodes': ['/admin/nodes'],
  '/admin/webhooks': ['/admin/webhooks'],
  '/admin/server': ['/admin/checklist', '/admin/engine', '/admin/configuration'],
  '/admin/audit': ['/admin/audit'],
}

const callsOf: Partial<Record<AppView, readonly string[]>> = pageCalls

/** The calls to announce with a document; none to strangers, whom the server would refuse. */
export const firstCalls = (
  view: AppView,
  { url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
): string[] => {
  if (!/(^|; )(__Host-)?helix_signed_in=1(;|$)/.test(headers.cookie ?? '')) return []
  const frame = view === '/welcome' ? ['/session'] : ['/session', '/notices']
  // What follows the address depends on it.
  const page = url.includes('?') ? [] : (callsOf[view] ?? [])
  return [...frame, ...page].map((path) => `/platform${path}`)
}

/** The header field that announces them (RFC 8288); `crossorigin` because scripts ask in that mode. */
export const preloadField = (calls: readonly string[]): string =>
  calls.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin`).join(', ')

import { ApiError } from '../base/api-error.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Route } from '../operations/route.ts'
import type { Site } from './open-site.ts'
import { fileHeaders } from './page-headers.ts'
import { appDetailPages, appPages, callbackPages, type DocumentName, publicPages } from './pages.ts'
import { sendContent } from './send-content.ts'
import { sendDocument } from './send-document.ts'
import { sendWaitingPage } from './waiting-page.ts'

/** Everything that browsers request except JSON. */
export const createSiteRoutes = (site: Site): Route[] => [
  ...publicPages.map((path) => pageRoute(site, path, path)),
  ...callbackPages.map((path) => pageRoute(site, path, 'callback')),
  ...[...appPages, ...appDetailPages].map((path) => pageRoute(site, path, 'app')),
  fileRoute(site, '/assets/{file}', ({ params }) => `/assets/${params.file}`),
  ...rootFiles.map((path) => fileRoute(site, path, () => path)),
]

/** Files whose names are fixed by convention. */
const rootFiles = ['/favicon.svg', '/robots.txt']

const pageRoute = (site: Site, path: string, name: DocumentName): Route => ({
  method: 'GET',
  path,
  access: 'anyone',
  handle(exchange) {
    const { state } = site
    if (state.kind === 'ready') sendDocument(exchange, state.site, name, 200)
    else sendWaitingPage(exchange, state.kind)
  },
})

const fileRoute = (site: Site, path: string, nameOf: (exchange: Exchange) => string): Route => ({
  method: 'GET',
  path,
  access: 'anyone',
  handle: (exchange) => sendFile(exchange, site, nameOf(exchange)),
})

const sendFile = (exchange: Exchange, { state }: Site, path: string): void => {
  const found = state.kind === 'ready' ? state.site.file(path) : undefined
  if (found === undefined) throw ApiError.of('unknown_url', { method: 'GET', path: path.slice(0, 200) })
  sendContent(exchange, 200, found, {
    ...fileHeaders(exchange.origin.secure),
    'content-type': found.contentType,
    'cache-control': found.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
  })
}

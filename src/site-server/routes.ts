import { ApiError } from '../base/api-error.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Route } from '../operations/route.ts'
import { firstCalls, preloadField } from './first-calls.ts'
import type { Site } from './open-site.ts'
import { fileHeaders } from './page-headers.ts'
import { pageLanguage } from './page-language.ts'
import {
  type AppView,
  appDocument,
  appViews,
  callbackPages,
  type DocumentName,
  publicPages,
  type TextName,
  texts,
} from './pages.ts'
import { sendContent } from './send-content.ts'
import { sendDocument } from './send-document.ts'
import { sendWaitingPage } from './waiting-page.ts'

/** Everything that browsers request except JSON. */
export const createSiteRoutes = (site: Site): Route[] => [
  ...publicPages.map((path) => pageRoute(site, path, path)),
  ...callbackPages.map((path) => pageRoute(site, path, 'callback')),
  ...appViews.map((view) => appRoute(site, view)),
  ...texts.map((name) => textRoute(site, name)),
  fileRoute(site, '/assets/{file}', ({ params }) => `/assets/${params.file}`),
  ...rootFiles.map((path) => fileRoute(site, path, () => path)),
]

/** Files whose names are fixed by convention. */
const rootFiles = [
  '/favicon.svg',
  '/robots.txt',
  '/site.webmanifest',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable-512.png',
]

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

const appRoute = (site: Site, view: AppView): Route => ({
  method: 'GET',
  path: view,
  access: 'anyone',
  handle(exchange) {
    const { state } = site
    if (state.kind !== 'ready') return sendWaitingPage(exchange, state.kind)
    const calls = firstCalls(view, exchange.request)
    const headers = calls.length === 0 ? {} : { link: preloadField(calls) }
    sendDocument(exchange, state.site, appDocument(view), 200, headers)
  },
})

const textRoute = (site: Site, name: TextName): Route => ({
  method: 'GET',
  path: name,
  access: 'anyone',
  handle(exchange) {
    const { state } = site
    const { request, origin } = exchange
    const found = state.kind === 'ready' ? state.site.text(name, pageLanguage(request), origin.origin) : undefined
    if (found === undefined) throw ApiError.of('unknown_url', { method: 'GET', path: name })
    sendContent(exchange, 200, found, {
      ...fileHeaders(origin.secure),
      'content-type': `text/${name.endsWith('.md') ? 'markdown' : 'plain'}; charset=utf-8`,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding, Accept-Language, Cookie',
    })
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

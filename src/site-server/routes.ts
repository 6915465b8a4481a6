import { ApiError } from '../base/api-error.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Models } from '../models/contract.ts'
import type { Route } from '../operations/route.ts'
import type { BuiltSite } from './built-site.ts'
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
export const createSiteRoutes = (site: Site, models: Pick<Models, 'defaultPool'>): Route[] => [
  ...publicPages.map((path) => pageRoute(site, path, path, () => sampleModel(models))),
  ...callbackPages.map((path) => pageRoute(site, path, 'callback', () => '')),
  ...appViews.map((view) => appRoute(site, view)),
  ...texts.map((name) => textRoute(site, name, () => sampleModel(models))),
  fileRoute(site, '/assets/{file}', ({ params }) => `/assets/${params.file}`),
  ...rootFiles.map((path) => fileRoute(site, path, () => path)),
]

/** Looks among the pages that are there, and again whenever there may be more; undefined if it is not there in time, or never. */
const findBuilt = async <Found>(
  site: Site,
  exchange: Exchange,
  find: (built: BuiltSite) => Found | undefined,
): Promise<Found | undefined> => {
  for (;;) {
    const { state } = site
    const found = state.site === null ? undefined : find(state.site)
    if (found !== undefined || state.kind !== 'building' || !(await site.hold(exchange))) return found
  }
}

/** What samples of chat name. A server may have a model of another kind as its default. */
const sampleModel = ({ defaultPool }: Pick<Models, 'defaultPool'>): string =>
  defaultPool.kind === 'chat' ? defaultPool.model.id : bundledModel

const bundledModel = 'helix-v1'

/** Files whose names are fixed by convention, and the licence. */
const rootFiles = [
  '/favicon.svg',
  '/robots.txt',
  '/site.webmanifest',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable-512.png',
  '/licence.txt',
]

const pageRoute = (site: Site, path: string, name: DocumentName, model: () => string): Route => ({
  method: 'GET',
  path,
  access: 'anyone',
  async handle(exchange) {
    const built = await findBuilt(site, exchange, (built) => (built.has(name) ? built : undefined))
    if (built === undefined) sendWaitingPage(exchange, site.state)
    else sendDocument(exchange, built, name, { model: model() })
  },
})

const appRoute = (site: Site, view: AppView): Route => ({
  method: 'GET',
  path: view,
  access: 'anyone',
  async handle(exchange) {
    const name = appDocument(view)
    const built = await findBuilt(site, exchange, (built) => (built.has(name) ? built : undefined))
    if (built === undefined) return sendWaitingPage(exchange, site.state)
    const calls = firstCalls(view, exchange.request)
    const headers = calls.length === 0 ? {} : { link: preloadField(calls) }
    sendDocument(exchange, built, name, { headers })
  },
})

const textRoute = (site: Site, name: TextName, model: () => string): Route => ({
  method: 'GET',
  path: name,
  access: 'anyone',
  async handle(exchange) {
    const { request, origin } = exchange
    const values = { origin: origin.origin, model: model() }
    const found = await findBuilt(site, exchange, (built) => built.text(name, pageLanguage(request), values))
    if (found === undefined && site.state.kind === 'building') return sendWaitingPage(exchange, site.state)
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
  const found = state.site?.file(path)
  if (found === undefined) throw ApiError.of('unknown_url', { method: 'GET', path: path.slice(0, 200) })
  sendContent(exchange, 200, found, {
    ...fileHeaders(exchange.origin.secure),
    'content-type': found.contentType,
    'cache-control': found.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
  })
}

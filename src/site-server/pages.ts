/**
 * Every page of the site by its path: the list that the server routes by and that the build renders from, so that neither
 * can know a page that the other does not.
 */

/** One page of the API reference for each group of endpoints. */
export const apiPages = [
  '/docs/api/chat-completions',
  '/docs/api/responses',
  '/docs/api/messages',
  '/docs/api/completions',
  '/docs/api/embeddings',
  '/docs/api/rerank',
  '/docs/api/models',
  '/docs/api/tokens',
  '/docs/api/keys',
  '/docs/api/usage',
  '/docs/api/other',
] as const
export type ApiPage = (typeof apiPages)[number]

/** Documents of `docs/` for people who use a server, each a page. */
export const guideDocuments = [
  '/docs/guides/console',
  '/docs/guides/clients',
  '/docs/guides/keys',
  '/docs/guides/billing',
  '/docs/guides/teams',
  '/docs/guides/sign-in',
  '/docs/guides/webhooks',
  '/docs/guides/messages',
  '/docs/guides/embeddings',
  '/docs/guides/rerank',
  '/docs/guides/retries',
] as const

/** Documents of `docs/` for people who run a server. */
export const operateDocuments = [
  '/docs/operate',
  '/docs/operate/install',
  '/docs/operate/config',
  '/docs/operate/models',
  '/docs/operate/upstreams',
  '/docs/operate/limits',
  '/docs/operate/hooks',
  '/docs/operate/cache',
  '/docs/operate/reverse-proxies',
  '/docs/operate/postgresql',
  '/docs/operate/redis',
  '/docs/operate/backup',
  '/docs/operate/upgrade',
  '/docs/operate/secrets',
  '/docs/operate/security',
  '/docs/operate/sizing',
  '/docs/operate/logs',
  '/docs/operate/metrics',
  '/docs/operate/alerts',
  '/docs/operate/traces',
  '/docs/operate/diagnostics',
  '/docs/operate/incidents',
  '/docs/operate/platforms',
] as const
export type DocumentPage = (typeof guideDocuments)[number] | (typeof operateDocuments)[number]

/** Rendered whole at build time; they work without the app's script. */
export const publicPages = [
  '/',
  '/signup',
  '/signin',
  '/claim',
  '/reset',
  '/verify',
  '/invitation',
  '/docs',
  '/docs/streaming',
  '/docs/tools',
  '/docs/structured-output',
  '/docs/reasoning',
  '/docs/embeddings',
  '/docs/agents',
  '/docs/migration',
  '/docs/troubleshooting',
  '/docs/api',
  ...apiPages,
  '/docs/errors',
  '/docs/limits',
  '/docs/retries',
  '/docs/compatibility',
  '/docs/changelog',
  ...guideDocuments,
  ...operateDocuments,
] as const

type PublicPage = (typeof publicPages)[number]
export type DocsPage = Extract<PublicPage, `/docs${string}`>

export const isDocsPage = (name: string): name is DocsPage => name.startsWith('/docs')

/** The pages of the documentation. */
export const docsPaths: readonly DocsPage[] = publicPages.filter(isDocsPage)

/** Texts for programs, in every language: the documentation as Markdown, and the list of its pages. */
export type TextName = '/llms.txt' | `${DocsPage}.md`
export const texts: readonly TextName[] = ['/llms.txt', ...docsPaths.map((path): TextName => `${path}.md`)]

/** Where providers redirect to after a sign-in: one document for all of them. */
export const callbackPages = ['/callback/github', '/callback/google', '/callback/oidc'] as const

/** Views of the React app. */
export const appPages = [
  '/welcome',
  '/home',
  '/keys',
  '/usage',
  '/requests',
  '/limits',
  '/models',
  '/playground',
  '/playground/compare',
  '/team',
  '/audit',
  '/webhooks',
  '/settings',
  '/admin',
  '/admin/accounts',
  '/admin/organisations',
  '/admin/models',
  '/admin/upstreams',
  '/admin/nodes',
  '/admin/webhooks',
  '/admin/server',
  '/admin/audit',
] as const
export type AppPage = (typeof appPages)[number]

/** Views of one thing, which is named in the path. */
export const appDetailPages = ['/requests/{request}', '/keys/{key}', '/playground/shared/{share}'] as const

export type AppView = AppPage | (typeof appDetailPages)[number]
export const appViews: readonly AppView[] = [...appPages, ...appDetailPages]

/** Each view has a document, which names what it shows and loads; the app draws itself into it. */
export const appDocument = (view: AppView): AppDocument => `app${view}`
export type AppDocument = `app${AppView}`

/** Documents that are whole: the public pages, the callback of providers, and the page for unknown addresses. */
export const wholeDocuments = [...publicPages, 'callback', 'not-found'] as const
export type WholeDocument = (typeof wholeDocuments)[number]

export type DocumentName = WholeDocument | AppDocument
export const documents: readonly DocumentName[] = [...wholeDocuments, ...appViews.map(appDocument)]

/** Placeholder in a document for `https://host`, which is known only from the request. */
export const originMark = '{{origin}}'

/** Placeholder in samples for the default chat model, which is the server's. */
export const modelMark = '{{model}}'

/** Placeholder for the version and commit, which are those of the server and not of the build. */
export const versionMark = '{{version}}'

/** Placeholder for the address of the source code, which the operator may name. */
export const sourceMark = '{{source}}'

import { originMark, versionMark } from '../../src/site-server/pages.ts'
import { type Html, html } from './html.ts'
import type { PageAssets } from './page-assets.ts'
import type { PageContext } from './page-context.ts'

export type Page = {
  title: string
  /** For search results and shared links; none for pages that nobody should find there. */
  description: string | null
  script: 'pages' | 'auth' | 'app' | null
  /** A page of the documentation, which can be searched. */
  isDocs?: boolean
  /** Modules that a view of the app loads by itself, which the browser is to fetch at once. */
  modules?: readonly string[]
  /** A call that the view makes first, to be completed with the reader's time zone. */
  usage?: string | undefined
  body: Html
}

/** The document around a page: everything that a browser has to know before it sees the first word. */
export const pageFrame = (page: Page, context: PageContext, assets: PageAssets): Html => {
  const { language } = context
  const { title, description, script } = page
  const view = assets.view(page.modules ?? [])
  const scripts = script === null ? [] : [...new Set([...assets.imports(script, language.code), ...view.scripts])]
  return html`<!doctype html>
<html lang="${language.code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="generator" content="Helix ${versionMark}">
${page.usage === undefined ? null : html`<meta name="usage" content="${page.usage}">`}
<script src="${assets.beforePaintScript}"></script>
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.path('siteStyle')}">
<link rel="stylesheet" href="${assets.path(script === 'app' ? 'appStyle' : 'publicStyle')}">
${view.styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}
${script === 'auth' ? html`<link rel="stylesheet" href="${assets.path('appStyle')}" media="not all" data-app-style>` : null}
${script === null ? null : html`<script type="module" src="${assets.path(script)}"></script>`}
${scripts.map((path) => html`<link rel="modulepreload" href="${path}">`)}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/icon-192.png">
<link rel="manifest" href="/site.webmanifest">
<meta name="theme-color" content="#f7f8f6" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0e1519" media="(prefers-color-scheme: dark)">
${description === null ? html`<meta name="robots" content="noindex">` : shared(title, description, context, assets)}
</head>
<body${page.isDocs ? html` data-docs-index="${assets.docsIndex}"` : null}>
${page.body}
</body>
</html>
`
}

const shared = (
  title: string,
  description: string,
  { name: path, language, languages }: PageContext,
  assets: PageAssets,
): Html =>
  html`<meta name="description" content="${description}">
${languages.map(
  ({ code }) => html`<link rel="alternate" hreflang="${code}" href="${originMark}${path}?lang=${code}">
`,
)}<link rel="alternate" hreflang="x-default" href="${originMark}${path}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:url" content="${originMark}${path}">
<meta property="og:image" content="${originMark}${assets.card}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:locale" content="${language.locale.replace('-', '_')}">
<meta name="twitter:card" content="summary_large_image">`

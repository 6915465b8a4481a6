import { type AppView, appDocument } from '../../../src/site-server/pages.ts'
import { adminSights } from '../../app/first-sight/admin-sights.ts'
import { sights } from '../../app/first-sight/sights.ts'
import { type Html, html } from '../html.ts'
import type { PageAssets } from '../page-assets.ts'
import type { PageReader } from '../page-context.ts'
import { type Page, pageFrame } from '../page-frame.ts'
import { brand } from '../parts/mark.ts'
import { type AppWords, views } from './app-views.ts'

/** The document that a view of the app draws itself into. It is the same for everybody, so nothing in it is anybody's. */
export const renderApp = (view: AppView, reader: PageReader, words: AppWords, assets: PageAssets): string => {
  const { page, words: files, title, usage } = views[view]
  const { code } = reader.language
  const whole: Page = {
    title: title === null ? 'Helix' : words.shell.title(title(words)),
    description: null,
    usage,
    script: 'app',
    // In the order in which they are needed.
    modules: [
      ...files.map((file) => `../languages/${code}/${file}.ts`),
      ...sightModules[sightOf(view) ?? 'playground'],
      'app/start-app.tsx',
      `app/pages/${page}.tsx`,
    ],
    body: html`<noscript><p class="no-script">${reader.words.frame.noScript}</p></noscript>${frame(view, words)}`,
  }
  return pageFrame(whole, { ...reader, name: appDocument(view) }, assets).html
}

/** What stands there until the app has loaded: it looks as the app does in its first moment. Strangers do not see it. */
const frame = (view: AppView, words: AppWords) => {
  const { title, lede, action } = views[view]
  if (title === null) return null
  const name = html`<h1 class="page-name">${title(words)}</h1>`
  const below = html`<div data-below><div class="skeleton" role="status" aria-label="${words.shell.loading}"><div class="skeleton-line"></div><div class="skeleton-line"></div><div class="skeleton-line"></div></div></div>`
  // The app has links here, for the owner of the server, where the rail has none.
  const tabs = view.startsWith('/admin')
    ? html`<div class="segments admin-tabs" aria-hidden="true"><a>&nbsp;</a></div>`
    : null
  const page = html`<div class="page wide">${tabs}
<header class="page-head"><div>${name}<p class="lede">${lede?.(words) ?? html`<span class="skeleton-line"></span>`}</p></div>${action === undefined ? null : html`<span class="button">${action(words)}</span>`}</header>
${below}
</div>`
  return html`<div class="app" data-frame data-sight="${sightOf(view) ?? 'none'}">
<header class="rail">${brand(22)}</header>
<main class="main">${view === '/playground' ? playground(name, below) : page}</main>
</div>`
}

/** Whose script says the first words of a page; null: the app says them. */
const sightOf = (view: AppView): keyof typeof sightModules | null => {
  if (view === '/playground') return 'playground'
  if (Object.hasOwn(sights, view)) return 'console'
  return Object.hasOwn(adminSights, view) ? 'admin' : null
}

/** What the script of the document loads for it. */
const sightModules = {
  playground: [],
  console: ['app/first-sight/sights.ts'],
  admin: ['app/first-sight/admin-sights.ts'],
} as const

/** A page of its own form: the conversation below the bar, above the composer. */
const playground = (name: Html, below: Html): Html => html`<div class="playground"><div class="conversation-area">
<header class="top-bar">${name}</header>
<section class="conversation"><div class="column">${below}</div></section>
</div></div>`

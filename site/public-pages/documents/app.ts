import { type AppView, appDocument } from '../../../src/site-server/pages.ts'
import { html } from '../html.ts'
import type { PageAssets } from '../page-assets.ts'
import type { PageReader } from '../page-context.ts'
import { type Page, pageFrame } from '../page-frame.ts'
import { brand } from '../parts/mark.ts'
import { type AppWords, views } from './app-views.ts'

/** The document that a view of the app draws itself into. It is the same for everybody, so nothing in it is anybody's. */
export const renderApp = (view: AppView, reader: PageReader, words: AppWords, assets: PageAssets): string => {
  const { page, words: files, title } = views[view]
  const { code } = reader.language
  const whole: Page = {
    title: title === null ? 'Helix' : words.shell.title(title(words)),
    description: null,
    script: 'app',
    // In the order in which they are needed.
    modules: [
      ...files.map((file) => `../languages/${code}/${file}.ts`),
      'app/start-app.tsx',
      `app/pages/${page}.tsx`,
    ],
    body: html`<noscript><p class="no-script">${reader.words.frame.noScript}</p></noscript>${frame(view, words)}`,
  }
  return pageFrame(whole, { ...reader, name: appDocument(view) }, assets).html
}

/** What stands there until the app has loaded: it looks as the app does in its first moment. Strangers do not see it. */
const frame = (view: AppView, words: AppWords) => {
  const { title, lede } = views[view]
  if (title === null) return null
  return html`<div class="app" data-frame>
<header class="rail">${brand(22)}</header>
<main class="main"><div class="page wide">
<header class="page-head"><div><h1 class="page-name">${title(words)}</h1><p class="lede">${lede?.(words) ?? html`<span class="skeleton-line"></span>`}</p></div></header>
<div class="skeleton" role="status" aria-label="${words.shell.loading}"><div class="skeleton-line"></div><div class="skeleton-line"></div><div class="skeleton-line"></div></div>
</div></main>
</div>`
}

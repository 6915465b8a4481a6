import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'

/** The document that the app draws itself into. */
export const renderApp = ({ words }: PageContext): Page => ({
  title: 'Helix',
  description: null,
  script: 'app',
  body: html`<noscript><p class="no-script">${words.frame.noScript}</p></noscript>`,
})

import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'

export const renderSignUp = ({ words }: PageContext): Page => ({
  title: 'Helix',
  description: null,
  script: 'pages',
  body: html`<main><h1>${words.frame.noScript}</h1></main>`,
})

import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** Names the key of a reader who is signed in; a script fills it in and shows it. */
export const yourKey = ({ words: { docs } }: PageContext): Html =>
  html`<p class="secondary small" data-your-key hidden>${docs.yourKeyBefore}<a href="/keys"><b></b></a> <code></code>${docs.yourKeyAfter}</p>`

import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** The search of the documentation. Its script shows it: without one it could do nothing. */
export const docsSearch = ({ words: { docs } }: PageContext): Html =>
  html`<search class="docs-search" data-docs-search hidden data-none="${docs.searchNone}" data-failed="${docs.searchFailed}">
<label class="visually-hidden" for="docs-search">${docs.search}</label>
<input id="docs-search" class="input" type="search" placeholder="${docs.search}" autocomplete="off" spellcheck="false" aria-controls="docs-found" aria-describedby="docs-search-keys">
<span id="docs-search-keys" class="visually-hidden">${docs.searchKeys}</span>
<p class="visually-hidden" role="status" data-count="${docs.searchCount}"></p>
<ol id="docs-found" hidden></ol></search>`

import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { languageLinks } from './language-links.ts'
import { brand } from './mark.ts'

/** The head of every page that is not a form. */
export const header = (context: PageContext): Html => {
  const { frame } = context.words
  const here = (path: string): string => (context.name === path ? ' aria-current="page"' : '')
  return html`<a class="skip-link" href="#page">${frame.skip}</a>
<header class="top-bar">
${brand()}
<nav aria-label="${frame.navigation}">
<a class="wide-only" href="/docs"${{ html: here('/docs') }}>${frame.docs}</a>
<a class="wide-only" href="/docs/api"${{ html: here('/docs/api') }}>${frame.api}</a>
${languageLinks(context)}
<a class="for-visitors" href="/signin">${frame.signIn}</a>
<a class="button for-visitors" href="/signup">${frame.signUp}</a>
<a class="button for-members" href="/keys">${frame.console}</a>
</nav>
</header>`
}

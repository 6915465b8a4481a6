import { sourceMark, versionMark } from '../../../src/site-server/pages.ts'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** The theme is chosen here; without a script the system chooses, and the buttons stay hidden. */
export const footer = ({ words: { frame } }: PageContext): Html => {
  const choice = (theme: string, word: string): Html =>
    html`<button type="button" data-theme-choice="${theme}" aria-pressed="false">${word}</button>`
  return html`<footer class="footer">
<p>${frame.footer} <a href="/licence.txt">${frame.licence}</a><span class="source"> · <a href="${sourceMark}">${frame.source}</a></span> · <a href="/docs/changelog">Helix ${versionMark}</a></p>
<div class="themes" role="group" aria-label="${frame.theme}" hidden data-themes>
${choice('system', frame.themeSystem)}${choice('light', frame.themeLight)}${choice('dark', frame.themeDark)}
</div>
<nav aria-label="${frame.docs}">
<a href="/docs">${frame.docs}</a><a href="/docs/api">${frame.api}</a><a href="/docs/errors">${frame.errors}</a><a href="/docs/compatibility">${frame.compatibility}</a>
</nav>
</footer>`
}

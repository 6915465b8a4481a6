import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { gatePage } from '../parts/gate-page.ts'

/** The script sends the token as soon as the page is there; nothing has to be pressed. */
export const renderVerify = (context: PageContext): Page => {
  const { gate } = context.words
  const onward = html`<a class="button primary big wide" href="/keys">${gate.toConsole}</a>`
  return gatePage(context, {
    gate: 'verify',
    title: gate.verifyTitle,
    description: null,
    views: [
      { name: 'form', title: gate.verifyTitle, text: gate.verifyWait, content: html`` },
      { name: 'done', title: gate.verifiedTitle, text: gate.verifiedText, content: onward },
      { name: 'failed', title: gate.verifyFailedTitle, text: gate.verifyNoLinkText, content: onward },
    ],
    foot: html`<p><a href="/signin">${gate.signInLink}</a></p>`,
  })
}

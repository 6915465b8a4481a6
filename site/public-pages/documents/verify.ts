import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { authPage } from '../parts/auth-page.ts'

/** The script sends the token as soon as the page is there; nothing has to be pressed. */
export const renderVerify = (context: PageContext): Page => {
  const { auth } = context.words
  const onward = html`<a class="button primary big wide" href="/keys">${auth.toConsole}</a>`
  return authPage(context, {
    auth: 'verify',
    title: auth.verifyTitle,
    views: [
      { name: 'form', title: auth.verifyTitle, text: auth.verifyWait, content: html`` },
      { name: 'done', title: auth.verifiedTitle, text: auth.verifiedText, content: onward },
      { name: 'failed', title: auth.verifyFailedTitle, text: auth.verifyNoLinkText, content: onward },
    ],
    foot: html`<p><a href="/signin">${auth.signInLink}</a></p>`,
  })
}

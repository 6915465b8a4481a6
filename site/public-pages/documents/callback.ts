import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { authPage } from '../parts/auth-page.ts'
import { secondStepView } from '../parts/second-step.ts'

/** Where another service sends people back to; the script hands on what it sent. */
export const renderCallback = (context: PageContext): Page => {
  const { auth } = context.words
  return authPage(context, {
    auth: 'callback',
    title: auth.callbackTitle,
    views: [
      { name: 'form', title: auth.callbackTitle, text: auth.callbackWait, content: html`` },
      secondStepView(context),
      {
        name: 'failed',
        title: auth.callbackFailedTitle,
        text: auth.callbackNothing,
        content: html`<a class="button primary big wide" href="/signin">${auth.callbackAgain}</a>`,
      },
    ],
    foot: html`<p><a href="/settings">${auth.callbackSettings}</a></p>`,
  })
}

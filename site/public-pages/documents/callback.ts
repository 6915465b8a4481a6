import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { gatePage } from '../parts/gate-page.ts'
import { secondStepView } from '../parts/second-step.ts'

/** Where another service sends people back to; the script hands on what it sent. */
export const renderCallback = (context: PageContext): Page => {
  const { gate } = context.words
  return gatePage(context, {
    gate: 'callback',
    title: gate.callbackTitle,
    description: null,
    views: [
      { name: 'form', title: gate.callbackTitle, text: gate.callbackWait, content: html`` },
      secondStepView(context),
      {
        name: 'failed',
        title: gate.callbackFailedTitle,
        text: gate.callbackNothing,
        content: html`<a class="button primary big wide" href="/signin">${gate.callbackAgain}</a>`,
      },
    ],
    foot: html`<p><a href="/settings">${gate.callbackSettings}</a></p>`,
  })
}

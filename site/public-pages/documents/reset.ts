import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { gateForm } from '../parts/gate-form.ts'
import { gatePage } from '../parts/gate-page.ts'
import { secondStepView } from '../parts/second-step.ts'

/** Both halves of a forgotten password: asking for the link, and coming back by it. */
export const renderReset = (context: PageContext): Page => {
  const { gate } = context.words
  const ask = gateForm(context, 'reset-ask', ['email'], gate.resetButton)
  const renew = gateForm(context, 'reset-new', ['new-password'], gate.resetNewButton)
  return gatePage(context, {
    gate: 'reset',
    title: gate.resetTitle,
    description: null,
    views: [
      { name: 'form', title: gate.resetTitle, text: gate.resetText, content: ask },
      { name: 'sent', title: gate.resetSentTitle, text: gate.resetSentText, content: html`` },
      { name: 'no-mail', title: gate.resetNoMailTitle, text: gate.resetNoMailText, content: html`` },
      { name: 'new', title: gate.resetNewTitle, text: gate.resetNewText, content: renew },
      secondStepView(context),
    ],
    foot: html`<p><a href="/signin">${gate.signInLink}</a></p>`,
  })
}

import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { authForm } from '../parts/auth-form.ts'
import { authPage } from '../parts/auth-page.ts'
import { secondStepView } from '../parts/second-step.ts'

/** Both halves of a forgotten password: asking for the link, and coming back by it. */
export const renderReset = (context: PageContext): Page => {
  const { auth } = context.words
  const ask = authForm(context, 'reset-ask', ['email'], auth.resetButton)
  const renew = authForm(context, 'reset-new', ['new-password'], auth.resetNewButton)
  return authPage(context, {
    auth: 'reset',
    title: auth.resetTitle,
    views: [
      { name: 'form', title: auth.resetTitle, text: auth.resetText, content: ask },
      { name: 'sent', title: auth.resetSentTitle, text: auth.resetSentText, content: html`` },
      { name: 'no-mail', title: auth.resetNoMailTitle, text: auth.resetNoMailText, content: html`` },
      { name: 'new', title: auth.resetNewTitle, text: auth.resetNewText, content: renew },
      secondStepView(context),
    ],
    foot: html`<p><a href="/signin">${auth.signInLink}</a></p>`,
  })
}

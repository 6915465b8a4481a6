import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { gateForm } from '../parts/gate-form.ts'
import { gatePage } from '../parts/gate-page.ts'
import { otherWays } from '../parts/other-ways.ts'
import { secondStepView } from '../parts/second-step.ts'

export const renderSignIn = (context: PageContext): Page => {
  const { gate } = context.words
  const form = gateForm(context, 'sign-in', ['email', 'password'], gate.signInButton)
  return gatePage(context, {
    gate: 'sign-in',
    title: gate.signInTitle,
    description: gate.signInDescription,
    views: [
      {
        name: 'form',
        title: gate.signInTitle,
        text: gate.signInText,
        content: html`${form}<p class="forgot"><a href="/reset">${gate.forgot}</a></p>${otherWays(context, { passkey: true })}`,
      },
      secondStepView(context),
    ],
    foot: html`<p>${gate.noAccount} <a href="/signup">${gate.signUpLink}</a></p>`,
  })
}

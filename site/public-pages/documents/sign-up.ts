import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { gateForm } from '../parts/gate-form.ts'
import { gatePage } from '../parts/gate-page.ts'
import { otherWays } from '../parts/other-ways.ts'

export const renderSignUp = (context: PageContext): Page => {
  const { gate } = context.words
  const form = gateForm(context, 'sign-up', ['email', 'new-password'], gate.signUpButton)
  return gatePage(context, {
    gate: 'sign-up',
    title: gate.signUpTitle,
    description: gate.signUpDescription,
    views: [
      {
        name: 'form',
        title: gate.signUpTitle,
        text: gate.signUpText,
        content: html`${form}${otherWays(context, { passkey: false })}`,
      },
      { name: 'setup', title: gate.setupTitle, text: gate.setupText, content: html`` },
      { name: 'closed', title: gate.closedTitle, text: gate.closedText, content: html`` },
      { name: 'invitation', title: gate.invitationTitle, text: gate.invitationText, content: html`` },
    ],
    foot: html`<p>${gate.haveAccount} <a href="/signin">${gate.signInLink}</a></p>`,
  })
}

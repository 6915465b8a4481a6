import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { authForm } from '../parts/auth-form.ts'
import { authPage } from '../parts/auth-page.ts'
import { signInMethods } from '../parts/sign-in-methods.ts'

export const renderSignUp = (context: PageContext): Page => {
  const { auth } = context.words
  const form = authForm(context, 'sign-up', ['email', 'new-password'], auth.signUpButton)
  return authPage(context, {
    auth: 'sign-up',
    title: auth.signUpTitle,
    description: auth.signUpDescription,
    views: [
      {
        name: 'form',
        title: auth.signUpTitle,
        text: auth.signUpText,
        content: html`${form}${signInMethods(context, { passkey: false })}`,
      },
      { name: 'setup', title: auth.setupTitle, text: auth.setupText, content: html`` },
      { name: 'closed', title: auth.closedTitle, text: auth.closedText, content: html`` },
      { name: 'invitation', title: auth.invitationTitle, text: auth.invitationText, content: html`` },
    ],
    foot: html`<p>${auth.haveAccount} <a href="/signin">${auth.signInLink}</a></p>`,
  })
}

import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { authForm } from '../parts/auth-form.ts'
import { authPage } from '../parts/auth-page.ts'
import { secondStepView } from '../parts/second-step.ts'
import { signInMethods } from '../parts/sign-in-methods.ts'

export const renderSignIn = (context: PageContext): Page => {
  const { auth } = context.words
  const form = authForm(context, 'sign-in', ['email', 'password'], auth.signInButton)
  return authPage(context, {
    auth: 'sign-in',
    title: auth.signInTitle,
    description: auth.signInDescription,
    views: [
      {
        name: 'form',
        title: auth.signInTitle,
        text: auth.signInText,
        content: html`${form}<p class="forgot"><a href="/reset">${auth.forgot}</a></p>${signInMethods(context, { passkey: true })}`,
      },
      secondStepView(context),
    ],
    foot: html`<p>${auth.noAccount} <a href="/signup">${auth.signUpLink}</a></p>`,
  })
}

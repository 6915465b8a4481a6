import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { authForm } from '../parts/auth-form.ts'
import { authPage } from '../parts/auth-page.ts'

export const renderClaim = (context: PageContext): Page => {
  const { auth } = context.words
  const form = authForm(context, 'claim', ['email', 'new-password'], auth.claimButton)
  return authPage(context, {
    auth: 'claim',
    title: auth.claimTitle,
    views: [
      { name: 'form', title: auth.claimTitle, text: auth.claimText, content: form },
      { name: 'no-link', title: auth.claimNoLinkTitle, text: auth.claimNoLinkText, content: html`` },
      { name: 'claimed', title: auth.claimedTitle, text: auth.claimedText, content: html`` },
    ],
    foot: html`<p>${auth.haveAccount} <a href="/signin">${auth.signInLink}</a></p>`,
  })
}

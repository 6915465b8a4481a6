import { TriangleAlert } from 'lucide-react'
import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { authPage } from '../parts/auth-page.ts'
import { icon } from '../parts/icon.ts'

/** The script looks up the invitation and names the organisation; people who are signed in accept with one click. */
export const renderInvitation = (context: PageContext): Page => {
  const { auth } = context.words
  const onward = html`<a class="button primary big wide" href="/keys">${auth.toConsole}</a>`
  const accept = html`<form method="post" novalidate data-form="invitation">
<div class="error-notice" role="alert" hidden data-error>${icon(TriangleAlert)}<div><p data-error-text></p><p class="id" data-error-id></p></div></div>
<button class="button primary big wide" type="submit">${auth.acceptButton}</button>
</form>`
  const choose = html`<div class="sign-in-methods"><a class="button primary big wide" href="/signup" data-join="sign-up">${auth.joinBySignUp}</a>
<a class="button big wide" href="/signin" data-join="sign-in">${auth.joinBySignIn}</a></div>`
  return authPage(context, {
    auth: 'invitation',
    title: auth.invitedTitle,
    views: [
      { name: 'form', title: auth.invitedTitle, text: auth.verifyWait, content: html`` },
      { name: 'accept', title: auth.invitedTitle, text: '', content: accept },
      { name: 'choose', title: auth.invitedTitle, text: '', content: choose },
      { name: 'over', title: auth.invitationOverTitle, text: auth.invitationNoLink, content: onward },
    ],
    foot: html``,
  })
}

import { TriangleAlert } from 'lucide-react'
import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { gatePage } from '../parts/gate-page.ts'
import { icon } from '../parts/icon.ts'

/** The script looks the invitation up and names the organisation; whoever is signed in accepts with one press. */
export const renderInvitation = (context: PageContext): Page => {
  const { gate } = context.words
  const onward = html`<a class="button primary big wide" href="/keys">${gate.toConsole}</a>`
  const accept = html`<form method="post" novalidate data-form="invitation">
<div class="error-notice" role="alert" hidden data-fault>${icon(TriangleAlert)}<div><p data-fault-text></p><p class="id" data-fault-id></p></div></div>
<button class="button primary big wide" type="submit">${gate.acceptButton}</button>
</form>`
  const choose = html`<div class="sign-in-methods"><a class="button primary big wide" href="/signup" data-join="sign-up">${gate.joinBySignUp}</a>
<a class="button big wide" href="/signin" data-join="sign-in">${gate.joinBySignIn}</a></div>`
  return gatePage(context, {
    gate: 'invitation',
    title: gate.invitedTitle,
    description: null,
    views: [
      { name: 'form', title: gate.invitedTitle, text: gate.verifyWait, content: html`` },
      { name: 'accept', title: gate.invitedTitle, text: '', content: accept },
      { name: 'choose', title: gate.invitedTitle, text: '', content: choose },
      { name: 'over', title: gate.invitationOverTitle, text: gate.invitationNoLink, content: onward },
    ],
    foot: html``,
  })
}

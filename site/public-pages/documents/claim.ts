import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { gateForm } from '../parts/gate-form.ts'
import { gatePage } from '../parts/gate-page.ts'

export const renderClaim = (context: PageContext): Page => {
  const { gate } = context.words
  const form = gateForm(context, 'claim', ['email', 'new-password'], gate.claimButton)
  return gatePage(context, {
    gate: 'claim',
    title: gate.claimTitle,
    description: null,
    views: [
      { name: 'form', title: gate.claimTitle, text: gate.claimText, content: form },
      { name: 'no-link', title: gate.claimNoLinkTitle, text: gate.claimNoLinkText, content: html`` },
      { name: 'claimed', title: gate.claimedTitle, text: gate.claimedText, content: html`` },
    ],
    foot: html`<p>${gate.haveAccount} <a href="/signin">${gate.signInLink}</a></p>`,
  })
}

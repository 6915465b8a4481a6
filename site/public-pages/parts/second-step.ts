import { TriangleAlert } from 'lucide-react'
import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { gateForm } from './gate-form.ts'
import { icon } from './icon.ts'
import { passkeyButton } from './other-ways.ts'

/** The view that asks for the code, on every page where a sign-in may come to it. */
export const secondStepView = (context: PageContext) => {
  const { gate } = context.words
  return {
    name: 'code',
    title: gate.codeTitle,
    text: gate.codeText,
    content: html`${gateForm(context, 'code', ['code'], gate.codeButton)}
<div class="sign-in-methods" data-passkey hidden>
<div class="error-notice" role="alert" hidden data-ways-fault>${icon(TriangleAlert)}<div><p data-ways-fault-text></p></div></div>
${passkeyButton(gate.passkeyInstead)}</div>
<p class="forgot muted">${gate.codeLost}</p>`,
  }
}

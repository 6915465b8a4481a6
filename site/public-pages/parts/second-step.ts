import { TriangleAlert } from 'lucide-react'
import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { authForm } from './auth-form.ts'
import { icon } from './icon.ts'
import { passkeyButton } from './sign-in-methods.ts'

/** The view that asks for the code, on every page where a sign-in may need it. */
export const secondStepView = (context: PageContext) => {
  const { auth } = context.words
  return {
    name: 'code',
    title: auth.codeTitle,
    text: auth.codeText,
    content: html`${authForm(context, 'code', ['code'], auth.codeButton)}
<div class="sign-in-methods" data-passkey hidden>
<div class="error-notice" role="alert" hidden data-methods-error>${icon(TriangleAlert)}<div><p data-methods-error-text></p></div></div>
${passkeyButton(auth.passkeyInstead)}</div>
<p class="forgot muted">${auth.codeLost}</p>`,
  }
}

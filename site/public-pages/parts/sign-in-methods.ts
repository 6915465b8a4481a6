import { Fingerprint, TriangleAlert } from 'lucide-react'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { icon } from './icon.ts'

/** Passkey and providers, below a form. The script shows what there is on this server and in this browser. */
export const signInMethods = ({ words: { auth } }: PageContext, { passkey }: { passkey: boolean }): Html =>
  html`<div class="sign-in-methods" data-sign-in-methods hidden>
<p class="divider"><span>${auth.or}</span></p>
<div class="error-notice" role="alert" hidden data-methods-error>${icon(TriangleAlert)}<div><p data-methods-error-text></p></div></div>
${passkey ? passkeyButton(auth.passkeyButton) : null}
<div class="providers" data-providers></div>
</div>`

export const passkeyButton = (label: string): Html =>
  html`<button class="button big wide" type="button" data-passkey-button hidden>${icon(Fingerprint, 18)}${label}</button>`

import { Fingerprint, TriangleAlert } from 'lucide-react'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { icon } from './icon.ts'

/** Passkey and providers, below a form. The script shows what there is on this server and in this browser. */
export const otherWays = ({ words: { gate } }: PageContext, { passkey }: { passkey: boolean }): Html =>
  html`<div class="sign-in-methods" data-other-ways hidden>
<p class="divider"><span>${gate.or}</span></p>
<div class="error-notice" role="alert" hidden data-ways-fault>${icon(TriangleAlert)}<div><p data-ways-fault-text></p></div></div>
${passkey ? passkeyButton(gate.passkeyButton) : null}
<div class="providers" data-providers></div>
</div>`

export const passkeyButton = (label: string): Html =>
  html`<button class="button big wide" type="button" data-passkey-button hidden>${icon(Fingerprint, 18)}${label}</button>`

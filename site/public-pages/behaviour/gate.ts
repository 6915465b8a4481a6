import { startCallback } from './gate/callback.ts'
import { startClaim } from './gate/claim.ts'
import { startInvitation } from './gate/invitation.ts'
import { startReset } from './gate/reset.ts'
import { startSignIn } from './gate/sign-in.ts'
import { startSignUp } from './gate/sign-up.ts'
import { startVerify } from './gate/verify.ts'
import { startLanguageLinks } from './language-links.ts'
import { reloadOnNewLink } from './reload-on-new-link.ts'

/** The script of the pages with a form: finds out which one it is on. */
const starts: Record<string, () => Promise<void>> = {
  'sign-up': startSignUp,
  'sign-in': startSignIn,
  claim: startClaim,
  reset: startReset,
  verify: startVerify,
  invitation: startInvitation,
  callback: startCallback,
}

startLanguageLinks()
reloadOnNewLink()
const name = document.querySelector<HTMLElement>('[data-gate]')?.dataset.gate ?? ''
void starts[name]?.()

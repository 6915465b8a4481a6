import type { AuthWords } from '../../../languages/words.ts'
import { createPageCredentials, createPlatform, type Platform } from '../../platform/platform.ts'
import { pageLanguage } from '../../words/languages.ts'
import { loadWords } from '../../words/load-words.ts'
import { startCallback } from './auth/callback.ts'
import { startClaim } from './auth/claim.ts'
import { startInvitation } from './auth/invitation.ts'
import { startReset } from './auth/reset.ts'
import { startSignIn } from './auth/sign-in.ts'
import { startSignUp } from './auth/sign-up.ts'
import { startVerify } from './auth/verify.ts'
import { startLanguageLinks } from './language-links.ts'
import { reloadOnNewLink } from './reload-on-new-link.ts'

/** The script of the pages with a form: finds out which one it is on. */
const starts: Record<string, (words: AuthWords, platform: Platform) => Promise<void>> = {
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
const name = document.querySelector<HTMLElement>('[data-auth-page]')?.dataset.authPage ?? ''
const start = starts[name]
if (start !== undefined) {
  // A form that is sent while its words are on their way is sent once they are there, not by the browser itself.
  let early: HTMLFormElement | null = null
  const hold = (event: SubmitEvent): void => {
    event.preventDefault()
    if (event.target instanceof HTMLFormElement) early = event.target
  }
  document.addEventListener('submit', hold)
  void loadWords(pageLanguage().code, 'auth').then(
    (words) => {
      document.removeEventListener('submit', hold)
      void start(words, createPlatform(createPageCredentials()))
      early?.requestSubmit()
    },
    () => {
      // Without its words the form does nothing: they are asked for again with the page, once somebody sends it.
      if (early !== null) location.reload()
      else document.addEventListener('submit', () => location.reload())
    },
  )
}

import type { AuthWords } from '../../../../languages/words.ts'
import type { Platform } from '../../../platform/platform.ts'
import { showError } from './form-error.ts'
import { leaveIfSignedIn, nextPage } from './leave-if-signed-in.ts'
import { openForm } from './open-form.ts'
import { openSecondStep } from './second-step.ts'
import { showSignInMethods } from './sign-in-methods.ts'

export const startSignIn = async (words: AuthWords, platform: Platform): Promise<void> => {
  const goOn = (): void => location.replace(nextPage())
  const enter = openSecondStep(goOn, words, platform)
  openForm('sign-in', words, async ({ email, password }) => enter(await platform.signIn({ body: { email, password } })))
  const session = await platform.showSession().catch(() => null)
  if (session === null || leaveIfSignedIn(session)) return
  showSignInMethods({ session, goOn, words, platform })
  if (session.suspended) showSuspended(words.errors.account_suspended)
}

/** The browser's session cannot be used for now. */
const showSuspended = (text: string): void => {
  const form = document.querySelector<HTMLFormElement>('[data-form="sign-in"]')
  if (form !== null) showError(form, text, null)
}

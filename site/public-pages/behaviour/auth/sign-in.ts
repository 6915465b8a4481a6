import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { Entered } from '../../../platform/types.ts'
import { errorWords } from './auth-words.ts'
import { showError } from './form-error.ts'
import { leaveIfSignedIn, nextPage } from './leave-if-signed-in.ts'
import { openForm } from './open-form.ts'
import { openSecondStep } from './second-step.ts'
import { showSignInMethods } from './sign-in-methods.ts'

export const startSignIn = async (): Promise<void> => {
  const goOn = (): void => location.replace(nextPage())
  const enter = openSecondStep(goOn)
  openForm('sign-in', async ({ email, password }) =>
    enter(await platformPost<Entered>('/sign-in', { email, password })),
  )
  const session = await fetchSession().catch(() => null)
  if (session === null || leaveIfSignedIn(session)) return
  showSignInMethods({ session, goOn })
  if (session.suspended) showSuspended()
}

/** The browser's session cannot be used for now. */
const showSuspended = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-form="sign-in"]')
  if (form !== null) showError(form, errorWords.account_suspended, null)
}

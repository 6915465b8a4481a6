import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { Entered } from '../../../platform/types.ts'
import { showFault } from './form-fault.ts'
import { faultWords } from './gate-words.ts'
import { leaveIfSignedIn, nextPage } from './leave-if-signed-in.ts'
import { openForm } from './open-form.ts'
import { openOtherWays } from './other-ways.ts'
import { openSecondStep } from './second-step.ts'

export const startSignIn = async (): Promise<void> => {
  const goOn = (): void => location.replace(nextPage())
  const enter = openSecondStep(goOn)
  openForm('sign-in', async ({ email, password }) =>
    enter(await platformPost<Entered>('/sign-in', { email, password })),
  )
  const session = await fetchSession().catch(() => null)
  if (session === null || leaveIfSignedIn(session)) return
  openOtherWays({ session, goOn })
  if (session.suspended) tellSuspended()
}

/** The session that this browser has leads nowhere for now. */
const tellSuspended = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-form="sign-in"]')
  if (form !== null) showFault(form, faultWords.account_suspended, null)
}

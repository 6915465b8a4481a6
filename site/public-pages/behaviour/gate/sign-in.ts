import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { SignedIn } from '../../../platform/types.ts'
import { showFault } from './form-fault.ts'
import { faultWords } from './gate-words.ts'
import { leaveIfSignedIn, nextPage } from './leave-if-signed-in.ts'
import { openForm } from './open-form.ts'

export const startSignIn = async (): Promise<void> => {
  openForm('sign-in', async (values) => {
    await platformPost<SignedIn>('/sign-in', values)
    location.replace(nextPage())
  })
  const session = await fetchSession().catch(() => null)
  if (session !== null && !leaveIfSignedIn(session) && session.suspended) tellSuspended()
}

/** The session that this browser has leads nowhere for now. */
const tellSuspended = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-form="sign-in"]')
  if (form !== null) showFault(form, faultWords.account_suspended, null)
}

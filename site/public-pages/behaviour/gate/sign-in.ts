import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { Entered } from '../../../platform/types.ts'
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
}

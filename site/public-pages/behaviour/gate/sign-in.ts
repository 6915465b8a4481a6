import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { SignedIn } from '../../../platform/types.ts'
import { leaveIfSignedIn, nextPage } from './leave-if-signed-in.ts'
import { openForm } from './open-form.ts'

export const startSignIn = async (): Promise<void> => {
  openForm('sign-in', async (values) => {
    await platformPost<SignedIn>('/sign-in', values)
    location.replace(nextPage())
  })
  const session = await fetchSession().catch(() => null)
  if (session !== null) leaveIfSignedIn(session)
}

import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { SignedIn } from '../../../platform/types.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { openForm } from './open-form.ts'
import { showView } from './views.ts'

export const startReset = async (): Promise<void> => {
  const token = fragmentToken(null)
  openForm('reset-ask', async ({ email }) => {
    await platformPost('/password-reset/request', { email })
    showView('sent')
  })
  openForm('reset-new', async ({ password }) => {
    await platformPost<SignedIn>('/password-reset', { token, password })
    dropFragment()
    location.replace('/keys')
  })
  if (token !== null) return showView('new')
  const session = await fetchSession().catch(() => null)
  if (session !== null && !session.mail) showView('no-mail')
}

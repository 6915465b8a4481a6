import type { AuthWords } from '../../../../languages/words.ts'
import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { Entered } from '../../../platform/types.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { openForm } from './open-form.ts'
import { openSecondStep } from './second-step.ts'
import { showSignInMethods } from './sign-in-methods.ts'
import { showView } from './views.ts'

export const startReset = async (words: AuthWords): Promise<void> => {
  const token = fragmentToken(null)
  openForm('reset-ask', words, async ({ email }) => {
    await platformPost('/password-reset/request', { email })
    showView('sent')
  })
  const goOn = (): void => location.replace('/keys')
  const enter = openSecondStep(goOn, words)
  openForm('reset-new', words, async ({ password }) => {
    const entered = await platformPost<Entered>('/password-reset', { token, password })
    dropFragment()
    enter(entered)
  })
  if (token !== null) showView('new')
  const session = await fetchSession().catch(() => null)
  if (session !== null) showSignInMethods({ session, goOn, words })
  if (token !== null) return
  if (session !== null && !session.mail) showView('no-mail')
}

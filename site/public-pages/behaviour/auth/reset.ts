import type { AuthWords } from '../../../../languages/words.ts'
import type { Platform } from '../../../platform/platform.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { openForm } from './open-form.ts'
import { openSecondStep } from './second-step.ts'
import { showSignInMethods } from './sign-in-methods.ts'
import { showView } from './views.ts'

export const startReset = async (words: AuthWords, platform: Platform): Promise<void> => {
  const token = fragmentToken(null)
  openForm('reset-ask', words, async ({ email }) => {
    await platform.requestPasswordReset({ body: { email } })
    showView('sent')
  })
  const goOn = (): void => location.replace('/keys')
  const enter = openSecondStep(goOn, words, platform)
  openForm('reset-new', words, async ({ password }) => {
    const entered = await platform.resetPassword({ body: { token: token ?? '', password } })
    dropFragment()
    enter(entered)
  })
  if (token !== null) showView('new')
  const session = await platform.showSession().catch(() => null)
  if (session !== null) showSignInMethods({ session, goOn, words, platform })
  if (token !== null) return
  if (session !== null && !session.mail) showView('no-mail')
}

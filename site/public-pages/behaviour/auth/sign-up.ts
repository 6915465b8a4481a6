import type { AuthWords } from '../../../../languages/words.ts'
import type { Platform } from '../../../platform/platform.ts'
import { pageLanguage } from '../../../words/languages.ts'
import { fragmentToken } from './fragment-token.ts'
import { leaveIfSignedIn } from './leave-if-signed-in.ts'
import { openForm } from './open-form.ts'
import { loadApp, openWelcome } from './open-welcome.ts'
import { showSignInMethods } from './sign-in-methods.ts'
import { showView } from './views.ts'

export const startSignUp = async (words: AuthWords, platform: Platform): Promise<void> => {
  const invitation = fragmentToken('invitation')
  const join = fragmentToken('join')
  openForm('sign-up', words, async ({ email, password }) => {
    // Load the app first: without it, there would be a key and no page to show it.
    const app = await loadApp()
    const language = pageLanguage().code
    const body = {
      email,
      password,
      language,
      ...(invitation === null ? {} : { invitation }),
      ...(join === null ? {} : { join }),
    }
    await openWelcome(app, await platform.signUp({ body }), words)
  })
  // Without a response the form stays: submitting it will show the error.
  const session = await platform.showSession().catch(() => null)
  if (session?.account && join !== null) return location.replace(`/invitation#${join}`)
  if (session === null || leaveIfSignedIn(session)) return
  const invited = { ...(invitation === null ? {} : { invitation }), ...(join === null ? {} : { join }) }
  showSignInMethods({ session, goOn: () => {}, words, platform, invitation: invited })
  if (session.signUp === 'setup' || session.signUp === 'closed') showView(session.signUp)
  else if (session.signUp === 'invitation' && invitation === null && join === null) showView('invitation')
}

import type { AuthWords } from '../../../../languages/words.ts'
import { fetchSession, platformPost } from '../../../platform/platform.ts'
import type { SignedUp } from '../../../platform/types.ts'
import { pageLanguage } from '../../../words/languages.ts'
import { fragmentToken } from './fragment-token.ts'
import { openForm } from './open-form.ts'
import { loadApp, openWelcome } from './open-welcome.ts'
import { showView } from './views.ts'

export const startClaim = async (words: AuthWords): Promise<void> => {
  const token = fragmentToken(null)
  const claim = async ({ email, password }: { email: string; password: string }): Promise<void> => {
    const app = await loadApp()
    const body = { token, email, password, language: pageLanguage().code }
    await openWelcome(app, await platformPost<SignedUp>('/setup', body), words)
  }
  openForm('claim', words, claim, { invalid_link: words.claimLinkOld })
  if (token === null) showView('no-link')
  const session = await fetchSession().catch(() => null)
  if (session !== null && session.signUp !== 'setup') showView('claimed')
}

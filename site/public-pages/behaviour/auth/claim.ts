import type { AuthWords } from '../../../../languages/words.ts'
import type { Platform } from '../../../platform/platform.ts'
import { pageLanguage } from '../../../words/languages.ts'
import { fragmentToken } from './fragment-token.ts'
import { openForm } from './open-form.ts'
import { loadApp, openWelcome } from './open-welcome.ts'
import { showView } from './views.ts'

export const startClaim = async (words: AuthWords, platform: Platform): Promise<void> => {
  const token = fragmentToken(null)
  const claim = async ({ email, password }: { email: string; password: string }): Promise<void> => {
    const app = await loadApp()
    const body = { token: token ?? '', email, password, language: pageLanguage().code }
    await openWelcome(app, await platform.setUp({ body }), words)
  }
  openForm('claim', words, claim, { invalid_link: words.claimLinkOld })
  if (token === null) showView('no-link')
  const session = await platform.showSession().catch(() => null)
  if (session !== null && session.signUp !== 'setup') showView('claimed')
}

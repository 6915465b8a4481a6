import type { AuthWords } from '../../../../languages/words.ts'
import type { Platform } from '../../../platform/platform.ts'
import { errorText } from '../../../words/error-text.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { setViewText, showView } from './views.ts'

export const startVerify = async (words: AuthWords, platform: Platform): Promise<void> => {
  const changing = fragmentToken('change')
  const token = changing ?? fragmentToken(null)
  if (token === null) return showView('failed')
  try {
    await (changing === null ? platform.verifyEmail : platform.confirmEmailChange)({ body: { token } })
    dropFragment()
    showView('done')
  } catch (error) {
    setViewText('failed', errorText(error, words.errors))
    showView('failed')
  }
}

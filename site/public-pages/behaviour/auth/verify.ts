import type { AuthWords } from '../../../../languages/words.ts'
import { platformPost } from '../../../platform/platform.ts'
import { errorText } from '../../../words/error-text.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { setViewText, showView } from './views.ts'

export const startVerify = async (words: AuthWords): Promise<void> => {
  const changing = fragmentToken('change')
  const token = changing ?? fragmentToken(null)
  if (token === null) return showView('failed')
  try {
    await platformPost(changing === null ? '/email-verification' : '/email-change', { token })
    dropFragment()
    showView('done')
  } catch (error) {
    setViewText('failed', errorText(error, words.errors))
    showView('failed')
  }
}

import { platformPost } from '../../../platform/platform.ts'
import { faultText } from '../../../words/fault-text.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { faultWords } from './gate-words.ts'
import { showView, tellView } from './views.ts'

export const startVerify = async (): Promise<void> => {
  const changing = fragmentToken('change')
  const token = changing ?? fragmentToken(null)
  if (token === null) return showView('failed')
  try {
    await platformPost(changing === null ? '/email-verification' : '/email-change', { token })
    dropFragment()
    showView('done')
  } catch (error) {
    tellView('failed', faultText(error, faultWords))
    showView('failed')
  }
}

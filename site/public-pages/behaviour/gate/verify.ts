import { platformPost } from '../../../platform/platform.ts'
import { faultText } from '../../../words/fault-text.ts'
import { dropFragment, fragmentToken } from './fragment-token.ts'
import { faultWords } from './gate-words.ts'
import { showView, tellView } from './views.ts'

export const startVerify = async (): Promise<void> => {
  const token = fragmentToken(null)
  if (token === null) return showView('failed')
  try {
    await platformPost('/email-verification', { token })
    dropFragment()
    showView('done')
  } catch (error) {
    tellView('failed', faultText(error, faultWords))
    showView('failed')
  }
}

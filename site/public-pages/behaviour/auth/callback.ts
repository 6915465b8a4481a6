import type { AuthWords } from '../../../../languages/words.ts'
import type { Platform } from '../../../platform/platform.ts'
import { errorText } from '../../../words/error-text.ts'
import { ownPage } from './leave-if-signed-in.ts'
import { loadApp, openWelcome } from './open-welcome.ts'
import { openSecondStep } from './second-step.ts'
import { showSignInMethods } from './sign-in-methods.ts'
import { setViewText, showView } from './views.ts'

/** Where a provider redirects to. Its parameters are posted like a form and removed from the address. */
export const startCallback = async (words: AuthWords, platform: Platform): Promise<void> => {
  const provider = location.pathname.split('/').at(-1) ?? ''
  const { state = '', code = null, error = null } = Object.fromEntries(new URLSearchParams(location.search))
  history.replaceState(null, '', location.pathname)
  try {
    if (state.startsWith('connect.')) await connect(platform, provider, { state, code, error })
    else await enter({ provider, words, platform }, { state, code, error })
  } catch (reason) {
    setViewText('failed', errorText(reason, words.errors))
    showView('failed')
  }
}

type Reply = { state: string; code: string | null; error: string | null }

const connect = async (platform: Platform, provider: string, reply: Reply): Promise<void> => {
  await platform.finishConnect({ params: { provider }, body: reply })
  location.replace('/settings')
}

type Entry = { provider: string; words: AuthWords; platform: Platform }

const enter = async ({ provider, words, platform }: Entry, reply: Reply): Promise<void> => {
  // Load the app first: without it, there could be a key and no page to show it.
  const app = await loadApp()
  const entered = await platform.finishAtProvider({ params: { provider }, body: reply })
  const { firstKey } = entered
  if (firstKey !== undefined) return openWelcome(app, { firstKey }, words)
  const goOn = (): void => location.replace(ownPage(entered.next ?? ''))
  openSecondStep(goOn, words, platform)(entered)
  if (entered.secondStep !== undefined)
    showSignInMethods({ session: await platform.showSession(), goOn, words, platform })
}

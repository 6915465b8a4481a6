import { forgetToken } from '../../../platform/platform.ts'
import type { SignedUp } from '../../../platform/types.ts'
import { authWords } from './auth-words.ts'

type App = typeof import('../../../app/start-app.tsx')

/** The app comes as a part of its own, and only when somebody signs up. */
export const loadApp = (): Promise<App> => import('../../../app/start-app.tsx')

/**
 * This document becomes the app and shows the new key. It is handed over from memory to memory; the address says where we
 * are, nothing says what the key is.
 */
export const openWelcome = async (app: App, { firstKey }: SignedUp): Promise<void> => {
  if (firstKey === null) return location.replace('/keys')
  forgetToken()
  history.replaceState(null, '', '/welcome')
  try {
    await app.startApp(firstKey)
  } catch {
    showBare(firstKey.key)
  }
}

/** The last resort: a page that cannot be drawn must not cost the key. */
const showBare = (key: string): void => {
  const text = document.createElement('p')
  text.textContent = authWords.keyNotShown
  const code = document.createElement('code')
  code.textContent = key
  code.className = 'plain-key'
  const main = document.createElement('main')
  main.className = 'auth-page'
  main.append(text, code)
  document.body.replaceChildren(main)
}

import type { AuthWords } from '../../../../languages/words.ts'
import type { SignedUp } from '../../../platform/types.ts'

type App = typeof import('../../../app/start-app.tsx')

/** The app is loaded separately, and only on sign-up. */
export const loadApp = (): Promise<App> => import('../../../app/start-app.tsx')

/**
 * This document becomes the app and shows the new key, which is passed in memory. The address says where we
 * are, and nothing stores the key.
 */
export const openWelcome = async (
  app: App,
  { firstKey }: Pick<SignedUp, 'firstKey'>,
  words: AuthWords,
): Promise<void> => {
  if (firstKey === null) return location.replace('/keys')
  history.replaceState(null, '', '/welcome')
  // The document has the styles of the app, which do not apply until now.
  document.querySelector('[data-app-style]')?.removeAttribute('media')
  try {
    await app.startApp(firstKey)
  } catch {
    showBare(firstKey.key, words.keyNotShown)
  }
}

/** The last resort: the key must not be lost if the page cannot be rendered. */
const showBare = (key: string, explanation: string): void => {
  const text = document.createElement('p')
  text.textContent = explanation
  const code = document.createElement('code')
  code.textContent = key
  code.className = 'plain-key'
  const main = document.createElement('main')
  main.className = 'auth-page'
  main.append(text, code)
  document.body.replaceChildren(main)
}

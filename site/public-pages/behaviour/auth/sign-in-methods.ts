import type { AuthWords } from '../../../../languages/words.ts'
import { knowsPasskeys, signWithPasskey } from '../../../platform/passkeys.ts'
import type { Platform } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import type { Session } from '../../../platform/types.ts'
import { errorText } from '../../../words/error-text.ts'
import { pageLanguage } from '../../../words/languages.ts'
import { nextPage } from './leave-if-signed-in.ts'

/** Buttons below a form: a passkey, and the providers that the server knows. Hidden where there are none. */
type Ways = { session: Session; goOn(): void; words: AuthWords; platform: Platform; invitation?: Invited }
type Invited = { invitation?: string; join?: string }

export const showSignInMethods = ({ session, goOn, words, platform, invitation = {} }: Ways): void => {
  const canUsePasskey = session.passkeys && knowsPasskeys()
  for (const button of document.querySelectorAll<HTMLElement>('[data-passkey-button]')) {
    button.hidden = !canUsePasskey
    button.addEventListener('click', () => run(button, words, () => enterByPasskey(platform, goOn)))
  }
  for (const place of document.querySelectorAll<HTMLElement>('[data-providers]'))
    place.replaceChildren(
      ...session.providers.map((provider) => providerButton({ provider, words, platform, invitation })),
    )
  for (const part of document.querySelectorAll<HTMLElement>('[data-sign-in-methods]'))
    part.hidden = part.querySelector('button:not([hidden])') === null
}

const enterByPasskey = async (platform: Platform, goOn: () => void): Promise<void> => {
  const question = await platform.askPasskey()
  await platform.signInByPasskey({ body: await signWithPasskey(question) })
  goOn()
}

const providerButton = ({
  provider: { id, name },
  words,
  platform,
  invitation,
}: Required<Pick<Ways, 'words' | 'platform' | 'invitation'>> & { provider: Session['providers'][number] }) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button big wide'
  button.textContent = words.signInWith(name)
  button.addEventListener('click', () =>
    run(button, words, async () => {
      const body = { language: pageLanguage().code, next: nextPage(), ...invitation }
      const { url } = await platform.beginAtProvider({ params: { provider: id }, body })
      location.assign(url)
    }),
  )
  return button
}

/** What goes wrong is said above the buttons. Whoever closes the window of the passkey changed their mind: nothing is said. */
const run = async (button: HTMLElement, words: AuthWords, work: () => Promise<void>): Promise<void> => {
  if (button.getAttribute('aria-disabled') === 'true') return
  const said = button.closest('[data-view]')?.querySelector<HTMLElement>('[data-methods-error]')
  if (said) said.hidden = true
  button.setAttribute('aria-disabled', 'true')
  try {
    await work()
  } catch (error) {
    const isCancelled = error instanceof PlatformError && error.code === 'passkey_cancelled'
    const text = said?.querySelector('[data-methods-error-text]')
    if (!isCancelled && said && text) {
      text.textContent = errorText(error, words.errors)
      said.hidden = false
    }
  } finally {
    button.removeAttribute('aria-disabled')
  }
}

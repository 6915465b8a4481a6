import type { AuthWords } from '../../../../languages/words.ts'
import type { PasskeyQuestion } from '../../../../src/platform/contract/second-factor.ts'
import type { Redirect } from '../../../../src/platform/contract/sign-in.ts'
import { knowsPasskeys, signWithPasskey } from '../../../platform/passkeys.ts'
import { platformPost } from '../../../platform/platform.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import type { Session, SignedIn } from '../../../platform/types.ts'
import { errorText } from '../../../words/error-text.ts'
import { pageLanguage } from '../../../words/languages.ts'
import { nextPage } from './leave-if-signed-in.ts'

/** Buttons below a form: a passkey, and the providers that the server knows. Hidden where there are none. */
type Ways = { session: Session; goOn(): void; words: AuthWords; invitation?: Record<string, string> }

export const showSignInMethods = ({ session, goOn, words, invitation = {} }: Ways): void => {
  const canUsePasskey = session.passkeys && knowsPasskeys()
  for (const button of document.querySelectorAll<HTMLElement>('[data-passkey-button]')) {
    button.hidden = !canUsePasskey
    button.addEventListener('click', () => run(button, words, () => enterByPasskey(goOn)))
  }
  for (const place of document.querySelectorAll<HTMLElement>('[data-providers]'))
    place.replaceChildren(...session.providers.map((provider) => providerButton(provider, words, invitation)))
  for (const part of document.querySelectorAll<HTMLElement>('[data-sign-in-methods]'))
    part.hidden = part.querySelector('button:not([hidden])') === null
}

const enterByPasskey = async (goOn: () => void): Promise<void> => {
  const question = await platformPost<PasskeyQuestion>('/sign-in/passkey/question')
  await platformPost<SignedIn>('/sign-in/passkey', await signWithPasskey(question))
  goOn()
}

const providerButton = (
  { id, name }: Session['providers'][number],
  words: AuthWords,
  invitation: Record<string, string>,
) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button big wide'
  button.textContent = words.signInWith(name)
  button.addEventListener('click', () =>
    run(button, words, async () => {
      const body = { language: pageLanguage().code, next: nextPage(), ...invitation }
      const { url } = await platformPost<Redirect>(`/sign-in/providers/${id}/begin`, body)
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

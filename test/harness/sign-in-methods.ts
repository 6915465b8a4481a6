import { appCode } from './authenticator-app.ts'
import type { BrowserSession } from './browser-session.ts'
import { createAuthenticator } from './software-authenticator.ts'

type Authenticator = ReturnType<typeof createAuthenticator>
type NewQuestion = Parameters<Authenticator['make']>[0]
export type PasskeyQuestion = Parameters<Authenticator['use']>[0]

const answer = async <Answer>(response: Promise<Response>): Promise<Answer> => (await (await response).json()) as Answer

/** The secret that somebody put into their app; its code for this moment is used. */
export const switchOnTwoFactor = async (browser: BrowserSession, now = Date.now()) => {
  const { secret } = await answer<{ secret: string }>(browser.post('/account/two-factor/begin'))
  const confirmed = browser.post('/account/two-factor/confirm', { code: appCode(secret, now) })
  const { recoveryCodes } = await answer<{ recoveryCodes: string[] }>(confirmed)
  return { secret, recoveryCodes }
}

export const addPasskey = async (browser: BrowserSession, origin: string) => {
  const authenticator = createAuthenticator(origin)
  const question = await answer<NewQuestion>(browser.post('/account/passkeys/question'))
  const made = browser.post('/account/passkeys', { name: 'Laptop', ...authenticator.make(question) })
  const { id } = await answer<{ id: string }>(made)
  return { authenticator, id }
}

/** What an authenticator is asked, by the sign-in page or to confirm somebody who is there. */
export const askPasskey = (browser: BrowserSession, path = '/sign-in/passkey/question') =>
  answer<PasskeyQuestion>(browser.post(path))

/** What the authenticator is to sign for a new passkey of this person. */
export const askNewPasskey = (browser: BrowserSession) =>
  answer<NewQuestion>(browser.post('/account/passkeys/question'))

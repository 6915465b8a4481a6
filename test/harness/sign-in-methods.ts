import { appCode } from './authenticator-app.ts'
import type { BrowserSession } from './browser-session.ts'
import { createAuthenticator } from './software-authenticator.ts'

type Authenticator = ReturnType<typeof createAuthenticator>
type NewQuestion = Parameters<Authenticator['make']>[0]
export type PasskeyQuestion = Parameters<Authenticator['use']>[0]

const answer = async <Answer>(response: Promise<Response>): Promise<Answer> => (await (await response).json()) as Answer

/** Switches on two-factor authentication; returns the secret, whose current code is then used up. */
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

/** The options for an authenticator, to sign in or to confirm a signed-in person. */
export const askPasskey = (browser: BrowserSession, path = '/sign-in/passkey/question') =>
  answer<PasskeyQuestion>(browser.post(path))

/** The options for creating a new passkey of this person. */
export const askNewPasskey = (browser: BrowserSession) =>
  answer<NewQuestion>(browser.post('/account/passkeys/question'))

/**
 * Where somebody may sign in instead of here: GitHub, Google, or any OpenID Connect provider. What a provider says is
 * believed only after its signature, its addressee and the question it answers were checked.
 */
export type ProviderId = 'github' | 'google' | 'oidc'

/** Who a provider says it is. Of one issuer a subject is one person for good; an email may change hands. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

/** The question that is put to a provider. All but the address are secrets of this one sign-in. */
type Question = { redirectUri: string; state: string; nonce: string; codeChallenge: string }

/** What came back, with what only the asker knows. */
type Reply = { redirectUri: string; code: string; nonce: string; codeVerifier: string }

export interface Provider {
  readonly id: ProviderId
  /** As people know it. */
  readonly name: string
  readonly issuer: string
  /** Where the browser goes. */
  signInUrl(question: Question): Promise<string>
  identify(reply: Reply): Promise<Identity>
}

/** A provider is down, or said something that cannot be believed. The message is for the log: it repeats nothing of what was sent. */
export class ProviderFault extends Error {}

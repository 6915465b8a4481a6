/**
 * Where users can sign in instead of with a password: GitHub, Google, or any OpenID Connect provider. A provider's statement
 * is trusted only once its signature, its audience and the request it belongs to are verified.
 */
export type ProviderId = 'github' | 'google' | 'oidc'

/** A user, according to a provider. A subject of an issuer is always the same person; an email may change hands. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

/** All but the address are secrets of this sign-in. */
type AuthorizationRequest = { redirectUri: string; state: string; nonce: string; codeChallenge: string }

/** The returned code, with what only the sender of the request knows. */
type AuthorizationReply = { redirectUri: string; code: string; nonce: string; codeVerifier: string }

export interface Provider {
  readonly id: ProviderId
  /** Shown to users. */
  readonly name: string
  readonly issuer: string
  /** For the browser to open. */
  signInUrl(request: AuthorizationRequest): Promise<string>
  identify(reply: AuthorizationReply): Promise<Identity>
}

/** A provider is down, or its response cannot be trusted. The message is for the log and contains nothing that was sent. */
export class ProviderFault extends Error {}

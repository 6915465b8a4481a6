import { ApiError } from '../../base/api-error.ts'
import type { Store } from '../../store/contract.ts'
import { checkEmail, type Email } from '../email/check-email.ts'
import type { SignedIn, Visitor } from '../sessions/sessions.ts'
import type { SignInResult, SignInSteps } from '../sign-in/sign-in-steps.ts'
import type { SignUp } from '../sign-up/sign-up.ts'
import type { Identities } from './identities.ts'
import type { Identity, Provider } from './provider.ts'
import { type ProviderAttempts, type ProviderReply, type SignInPurpose, stateMismatch } from './provider-attempts.ts'

type ProviderSignInDependencies = {
  store: Pick<Store, 'accounts' | 'identities'>
  providers: readonly Provider[]
  attempts: ProviderAttempts
  identities: Pick<Identities, 'connect'>
  signInSteps: Pick<SignInSteps, 'afterFirstProof'>
  signUp: Pick<SignUp, 'createWithIdentity'>
}

type ProviderSignInResult =
  | { outcome: 'signed_up'; signedIn: SignedIn }
  | { outcome: 'known_account'; result: SignInResult; next: string | null }

/** Signing in, or signing up, with an identity at a provider. */
export const createProviderSignIn = (dependencies: ProviderSignInDependencies) => {
  const { store, providers, attempts, identities, signInSteps, signUp } = dependencies

  const signInByIdentity = async ({ issuer, subject }: Identity, visitor: Visitor): Promise<SignInResult | null> => {
    const known = await store.identities.find(issuer, subject)
    if (known === null) return null
    return signInSteps.afterFirstProof(known, { kind: 'identity', issuer, subject }, visitor, 'provider')
  }

  /**
   * A matching email alone is not enough, because the first person to register an address is not necessarily its owner:
   * both the provider and this server must have verified it.
   */
  const signInByEmail = async (identity: Identity, { emailSpellings }: Email, provider: Provider, visitor: Visitor) => {
    const known = await store.accounts.findByEmail(emailSpellings)
    if (known === null) return null
    const { id: accountId, emailVerified } = known.account
    const { address } = visitor
    const isSamePerson = identity.emailVerified && emailVerified
    const outcome = isSamePerson ? await identities.connect(identity, provider, { accountId, address }) : 'refused'
    if (outcome !== 'connected') throw ApiError.of('identity_email_taken', { name: provider.name })
    return signInByIdentity(identity, visitor)
  }

  return {
    /** The configured providers. */
    list: providers.map(({ id, name }) => ({ id, name })),
    /** Resolves to the provider's address, for the browser to open. */
    begin: (providerId: string, siteUrl: string, visitor: Visitor, request: Omit<SignInPurpose, 'kind'>) =>
      attempts.start(providerId, siteUrl, visitor, { kind: 'sign_in', ...request }),
    async finish(
      providerId: string,
      siteUrl: string,
      reply: ProviderReply,
      visitor: Visitor,
    ): Promise<ProviderSignInResult> {
      const attempt = await attempts.resume(providerId, reply.state, visitor)
      const { provider, purpose } = attempt
      if (purpose.kind !== 'sign_in') throw stateMismatch()
      const { invitation, language, next } = purpose
      const identity = await attempts.identify(attempt, siteUrl, reply)
      const byIdentity = await signInByIdentity(identity, visitor)
      if (byIdentity !== null) return { outcome: 'known_account', result: byIdentity, next }
      const email = requireEmail(identity, provider)
      const byEmail = await signInByEmail(identity, email, provider, visitor)
      if (byEmail !== null) return { outcome: 'known_account', result: byEmail, next }
      const user = { email: email.email, language, identity }
      return { outcome: 'signed_up', signedIn: await signUp.createWithIdentity(user, invitation, visitor) }
    },
  }
}

const requireEmail = ({ email }: Identity, { name }: Provider): Email => {
  try {
    return checkEmail(email ?? '')
  } catch {
    throw ApiError.of('identity_without_email', { name })
  }
}

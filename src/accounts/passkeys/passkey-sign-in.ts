import type { Clock } from '../../base/clock.ts'
import { toNetwork } from '../../base/to-network.ts'
import type { KnownAccount } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { PasskeyProof } from '../../store/sign-in-proof.ts'
import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import type { SessionActor } from '../sessions/confirmations.ts'
import type { SignedIn, Visitor } from '../sessions/sessions.ts'
import type { SignInSteps } from '../sign-in/sign-in-steps.ts'
import { authenticationOptions, createPasskeyChallenges } from './passkey-challenges.ts'
import { invalidPasskey } from './passkeys.ts'
import { createRelyingParty } from './relying-party.ts'
import { checkPasskeyUse, type PasskeyUse } from './webauthn.ts'

type PasskeySignInDependencies = {
  store: Pick<Store, 'sessions' | 'passkeys' | 'challenges'>
  clock: Clock
  signInSteps: Pick<SignInSteps, 'afterFirstProof'>
  createLimit: CreateAttemptLimit
}

const signInsPerNetwork = { max: 100, perMs: 15 * 60_000 }

/** Using a passkey. `siteUrl` is the address of the page; the options are for `navigator.credentials.get`. */
export const createPasskeySignIn = ({ store, clock, signInSteps, createLimit }: PasskeySignInDependencies) => {
  const challenges = createPasskeyChallenges({ store, clock })
  const perNetwork = createLimit('passkey', signInsPerNetwork)

  /** The account that the passkey belongs to. `accountId`: the one that was asked; null: any. */
  const verify = async (
    siteUrl: string,
    accountId: string | null,
    sent: PasskeyUse,
  ): Promise<{ known: KnownAccount; proof: PasskeyProof }> => {
    const relyingParty = createRelyingParty(siteUrl)
    const challenge = await challenges.use('passkey', accountId, sent.clientDataJSON)
    const found = challenge === null ? null : await store.passkeys.findByCredential(sent.id)
    if (challenge === null || found === null || found.passkey.relyingParty !== relyingParty.id) throw invalidPasskey()
    const { passkey, known } = found
    const handle = sent.userHandle === null ? null : Buffer.from(sent.userHandle, 'base64url').toString()
    const isTheirs = (handle === null || handle === passkey.accountId) && passkey.accountId === (accountId ?? handle)
    const used = isTheirs ? await checkPasskeyUse(sent, challenge, relyingParty, passkey) : null
    if (used === null) throw invalidPasskey()
    return { known, proof: { kind: 'passkey', id: passkey.id, counter: used.counter } }
  }

  return {
    async signInOptions(siteUrl: string, address: string) {
      const relyingParty = createRelyingParty(siteUrl)
      await perNetwork.consume(toNetwork(address))
      return authenticationOptions(await challenges.create('passkey', null), relyingParty, [])
    },
    async signIn(siteUrl: string, sent: PasskeyUse, visitor: Visitor): Promise<SignedIn> {
      const { known, proof } = await verify(siteUrl, null, sent)
      const result = await signInSteps.afterFirstProof(known, proof, visitor, 'passkey')
      if (result?.outcome !== 'signed_in') throw invalidPasskey()
      return result.signedIn
    },
    async confirmationOptions(siteUrl: string, { accountId }: SessionActor) {
      const relyingParty = createRelyingParty(siteUrl)
      const challenge = await challenges.create('passkey', accountId)
      return authenticationOptions(challenge, relyingParty, await store.passkeys.list(accountId))
    },
    /** Confirms the identity of a signed-in user again. */
    async confirm(siteUrl: string, { accountId, sessionId }: SessionActor, sent: PasskeyUse): Promise<void> {
      const { proof } = await verify(siteUrl, accountId, sent)
      if (!(await store.passkeys.use(proof, accountId, clock.now()))) throw invalidPasskey()
      await store.sessions.confirm(sessionId, clock.now(), true)
    },
  }
}

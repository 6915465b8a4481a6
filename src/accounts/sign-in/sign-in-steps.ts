import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'
import type { KnownAccount } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { FirstProof } from '../../store/sign-in-proof.ts'
import type { CreateAttemptLimit } from '../attempts/attempt-limit.ts'
import type { CodeReader } from '../second-factor/code-reader.ts'
import { createSecondStepLimits } from '../second-factor/second-step-limits.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'
import { wrongCode } from '../sessions/confirmations.ts'
import type { Sessions, SignedIn, SignInMethod, Visitor } from '../sessions/sessions.ts'
import type { KnownBrowsers } from './known-browsers.ts'

/** The code is still missing. The token stands for the first proof until then. */
type SecondStep = { token: string; expiresAt: number; hasPasskeys: boolean }

export type SignInResult = { outcome: 'signed_in'; signedIn: SignedIn } | { outcome: 'second_step'; step: SecondStep }

export type SignInSteps = ReturnType<typeof createSignInSteps>

type SignInStepsDependencies = {
  store: Pick<Store, 'accounts' | 'challenges' | 'secondFactors'>
  clock: Clock
  sessions: Pick<Sessions, 'open'>
  readCode: CodeReader
  knownBrowsers: KnownBrowsers
  createLimit: CreateAttemptLimit
}

const stepLifeMs = 5 * 60_000
/** After these the first proof is needed again. */
const attemptsPerStep = 5

/** From a first proof to a session, in one step or, with two-factor authentication, in two. */
export const createSignInSteps = (dependencies: SignInStepsDependencies) => {
  const { store, clock, sessions, readCode, knownBrowsers } = dependencies
  const beginAttempt = createSecondStepLimits(dependencies.createLimit)

  const createStep = async ({ account }: KnownAccount, pending: PendingSignIn): Promise<SecondStep> => {
    const token = mintToken()
    const expiresAt = clock.now() + stepLifeMs
    const content = JSON.stringify(pending)
    await store.challenges.insert(
      { kind: 'second_step', accountId: account.id, content, triesLeft: attemptsPerStep, expiresAt },
      hashToken(token),
      clock.now(),
    )
    return { token, expiresAt, hasPasskeys: account.hasPasskeys }
  }

  const requireStep = async (challengeHash: Uint8Array): Promise<PendingSignIn & { known: KnownAccount }> => {
    const challenge = await store.challenges.attempt('second_step', challengeHash, clock.now())
    const known = challenge?.accountId ? await store.accounts.find(challenge.accountId) : null
    if (challenge === null || known === null) throw ApiError.of('second_step_expired', {})
    return { known, ...readPendingSignIn(challenge.content) }
  }

  return {
    /** Opens a session, or asks for a code first. Null when the proof is no longer valid. */
    async afterFirstProof(
      known: KnownAccount,
      first: FirstProof,
      visitor: Visitor,
      method: SignInMethod,
    ): Promise<SignInResult | null> {
      if (known.account.suspendedAt !== null) throw ApiError.of('account_suspended', {})
      if (known.account.hasTotp && first.kind !== 'passkey')
        return { outcome: 'second_step', step: await createStep(known, { first, way: method }) }
      const signedIn = await sessions.open(known, { first, second: null, challengeHash: null }, visitor, method)
      if (signedIn === null) return null
      await knownBrowsers.remember(known.account.email.toLowerCase(), visitor.visitToken)
      return { outcome: 'signed_in', signedIn }
    },
    /** `codesLeft` is null unless a recovery code was used. */
    async finishWithCode(token: string, code: string, visitor: Visitor) {
      const challengeHash = hashToken(token)
      const { known, first, way: method } = await requireStep(challengeHash)
      const { id, email } = known.account
      const isKnown = await knownBrowsers.has(email.toLowerCase(), visitor.visitToken)
      const refund = await beginAttempt(id, visitor.visitToken, isKnown)
      const second = await readCode(id, code)
      const proof = second === null ? null : { first, second, challengeHash }
      const signedIn = proof === null ? null : await sessions.open(known, proof, visitor, method)
      if (signedIn === null) throw wrongCode()
      await refund()
      await knownBrowsers.remember(email.toLowerCase(), visitor.visitToken)
      const codesLeft = second?.kind === 'recovery' ? await store.secondFactors.recoveryCodesLeft(id) : null
      return { signedIn, codesLeft }
    },
  }
}

/** Stored with the challenge. */
type PendingSignIn = { first: FirstProof; way: SignInMethod }

/** Safe because only `createStep` writes this content. */
const readPendingSignIn = (content: string): PendingSignIn => parseJsonText(content) as PendingSignIn

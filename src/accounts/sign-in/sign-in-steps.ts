import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { KnownAccount } from '../../store/account-contract.ts'
import type { Store } from '../../store/contract.ts'
import type { FirstProof } from '../../store/sign-in-contract.ts'
import type { CodeReader } from '../second-factor/code-reader.ts'
import { createSecondStepLimits } from '../second-factor/second-step-limits.ts'
import { hashToken, mintToken } from '../secrets/secret-token.ts'
import type { Sessions, SignedIn, SignInWay, Visitor } from '../sessions/sessions.ts'
import type { KnownBrowsers } from './known-browsers.ts'

/** Somebody got as far as the code. The token stands for the password until then. */
type SecondStep = { token: string; expiresAt: number; hasPasskeys: boolean }

export type Entry = { outcome: 'signed_in'; signedIn: SignedIn } | { outcome: 'second_step'; step: SecondStep }

export interface Entrance {
  /** The first proof holds: the session, or the question for a code. Null when it does not hold any more. */
  enter(known: KnownAccount, first: FirstProof, visitor: Visitor, way: SignInWay): Promise<Entry | null>
  /** `codesLeft` where a recovery code was used. */
  finish(token: string, code: string, visitor: Visitor): Promise<{ signedIn: SignedIn; codesLeft: number | null }>
}

type EntranceRooms = {
  store: Pick<Store, 'accounts' | 'challenges' | 'secondFactors'>
  clock: Clock
  sessions: Sessions
  readCode: CodeReader
  knownBrowsers: KnownBrowsers
}

const stepLifeMs = 5 * 60_000
/** Then it is back to the password. */
const triesPerStep = 5

/** The way from a proof to a session, by one step or by two. */
export const createEntrance = ({ store, clock, sessions, readCode, knownBrowsers }: EntranceRooms): Entrance => {
  const begin = createSecondStepLimits(clock)

  const ask = async ({ account }: KnownAccount, waiting: Waiting): Promise<SecondStep> => {
    const token = mintToken()
    const expiresAt = clock.now() + stepLifeMs
    const content = JSON.stringify(waiting)
    await store.challenges.insert(
      { kind: 'second_step', accountId: account.id, content, triesLeft: triesPerStep, expiresAt },
      hashToken(token),
      clock.now(),
    )
    return { token, expiresAt, hasPasskeys: account.hasPasskeys }
  }

  const requireStep = async (challengeHash: Uint8Array): Promise<Waiting & { known: KnownAccount }> => {
    const waiting = await store.challenges.attempt('second_step', challengeHash, clock.now())
    const known = waiting?.accountId ? await store.accounts.find(waiting.accountId) : null
    if (waiting === null || known === null) throw ApiError.of('second_step_over', {})
    return { known, ...readWaiting(waiting.content) }
  }

  return {
    async enter(known, first, visitor, way) {
      if (known.account.suspendedAt !== null) throw ApiError.of('account_suspended', {})
      if (known.account.hasTotp && first.kind !== 'passkey')
        return { outcome: 'second_step', step: await ask(known, { first, way }) }
      const signedIn = await sessions.open(known, { first, second: null, challengeHash: null }, visitor, way)
      if (signedIn === null) return null
      knownBrowsers.remember(known.account.email.toLowerCase(), visitor.visitToken)
      return { outcome: 'signed_in', signedIn }
    },
    async finish(token, code, visitor) {
      const challengeHash = hashToken(token)
      const { known, first, way } = await requireStep(challengeHash)
      const { id, email } = known.account
      const isKnown = knownBrowsers.has(email.toLowerCase(), visitor.visitToken)
      const giveBack = begin(id, visitor.visitToken, isKnown)
      const second = await readCode(id, code)
      const proof = second === null ? null : { first, second, challengeHash }
      const signedIn = proof === null ? null : await sessions.open(known, proof, visitor, way)
      if (signedIn === null) throw ApiError.of('wrong_code', {}, { param: 'code' })
      giveBack()
      knownBrowsers.remember(email.toLowerCase(), visitor.visitToken)
      const codesLeft = second?.kind === 'recovery' ? await store.secondFactors.recoveryCodesLeft(id) : null
      return { signedIn, codesLeft }
    },
  }
}

type Waiting = { first: FirstProof; way: SignInWay }

/** True because only `ask` writes what is read here. */
const readWaiting = (content: string): Waiting => JSON.parse(content) as Waiting

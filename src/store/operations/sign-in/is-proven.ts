import type { FirstProof, SignInProof } from '../../sign-in-proof.ts'
import { first as firstRow, type Query } from '../query.ts'

import { endChallenge, isOpenChallenge } from './challenges.ts'
import { noteIdentityUse } from './identities.ts'
import { countPasskeyUse } from './passkeys.ts'
import { hasTotp, spendCode } from './second-factors.ts'

/**
 * Checks every part of a proof again, and consumes what may be used once: a sign-in in progress while the password
 * changes or a second factor is switched on must fail. The challenge is consumed last, so that a wrong code leaves it
 * for another attempt.
 */
export function* isProven(accountId: string, proof: SignInProof, now: number): Query<boolean> {
  const { first, challengeHash } = proof
  if (challengeHash !== null && !(yield* isOpenChallenge(challengeHash, now))) return false
  if (!(yield* isFirstProven(accountId, first, now)) || !(yield* isSecondProven(accountId, proof))) return false
  if (challengeHash !== null) yield* endChallenge(challengeHash)
  return true
}

function* isSecondProven(accountId: string, { first, second }: SignInProof): Query<boolean> {
  return second === null
    ? first.kind === 'passkey' || !(yield* hasTotp(accountId))
    : yield* spendCode(accountId, second)
}

function* isFirstProven(accountId: string, first: FirstProof, now: number): Query<boolean> {
  if (first.kind === 'passkey') return yield* countPasskeyUse(first, accountId, now)
  if (first.kind === 'identity') return yield* noteIdentityUse(first, accountId, now)
  const find = "SELECT 1 FROM credentials WHERE account_id = ? AND kind = 'password' AND secret = ?"
  return (yield* firstRow(find, accountId, first.hash)) !== undefined
}

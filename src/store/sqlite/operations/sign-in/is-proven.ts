import type { DatabaseSync } from 'node:sqlite'
import type { FirstProof, SignInProof } from '../../../sign-in-proof.ts'
import { prepared } from '../../database/prepared.ts'
import { endChallenge, isOpenChallenge } from './challenges.ts'
import { noteIdentityUse } from './identities.ts'
import { countPasskeyUse } from './passkeys.ts'
import { hasTotp, spendCode } from './second-factors.ts'

/**
 * Looks at every part of a proof again, and uses up what may be used once: a sign-in that was under way while the password
 * changed or the second factor was switched on must not outlive the change. The challenge goes last, so that a wrong code
 * leaves it for another try.
 */
export const isProven = (db: DatabaseSync, accountId: string, proof: SignInProof, now: number): boolean => {
  const { first, challengeHash } = proof
  if (challengeHash !== null && !isOpenChallenge(db, challengeHash, now)) return false
  if (!isFirstProven(db, accountId, first, now) || !isSecondProven(db, accountId, proof)) return false
  if (challengeHash !== null) endChallenge(db, challengeHash)
  return true
}

const isSecondProven = (db: DatabaseSync, accountId: string, { first, second }: SignInProof): boolean =>
  second === null ? first.kind === 'passkey' || !hasTotp(db, accountId) : spendCode(db, accountId, second)

const isFirstProven = (db: DatabaseSync, accountId: string, first: FirstProof, now: number): boolean => {
  if (first.kind === 'passkey') return countPasskeyUse(db, first, accountId, now)
  if (first.kind === 'identity') return noteIdentityUse(db, first, accountId, now)
  const find = "SELECT 1 FROM credentials WHERE account_id = ? AND kind = 'password' AND secret = ?"
  return prepared(db, find).get(accountId, first.hash) !== undefined
}

import type { DatabaseSync } from 'node:sqlite'
import type { FirstProof, SignInProof } from '../../sign-in-proof.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { endChallenge, isOpenChallenge } from './challenges.ts'
import { noteIdentityUse } from './identities.ts'
import { countPasskeyUse } from './passkeys.ts'
import { hasTotp, spendCode } from './second-factors.ts'

/**
 * Checks every part of a proof again, and consumes what may be used once: a sign-in in progress while the password
 * changes or a second factor is switched on must fail. The challenge is consumed last, so that a wrong code leaves it
 * for another attempt.
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

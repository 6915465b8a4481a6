import { type Query, run } from '../query.ts'

/** Once the last second factor is removed, no session counts as opened with one. */
export function* weakenSessions(accountId: string): Query<void> {
  yield* run(
    `UPDATE sessions SET has_second_factor = 0 WHERE account_id = $account
      AND NOT EXISTS (SELECT 1 FROM totp_factors WHERE account_id = $account AND confirmed_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM passkeys WHERE account_id = $account)`,
    { account: accountId },
  )
}

import { first, type Query } from '../query.ts'

/** Whether the account can still sign in without the passkey or identity with this id. */
export function* hasOtherSignInMethod(accountId: string, id: string): Query<boolean> {
  return (
    (yield* first(
      `SELECT 1 FROM credentials WHERE account_id = $account AND kind = 'password'
     UNION ALL SELECT 1 FROM passkeys WHERE account_id = $account AND id <> $id
     UNION ALL SELECT 1 FROM identities WHERE account_id = $account AND id <> $id LIMIT 1`,
      { account: accountId, id },
    )) !== undefined
  )
}

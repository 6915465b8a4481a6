import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../sqlite/database/prepared.ts'

/** Whether the account can still sign in without the passkey or identity with this id. */
export const hasOtherSignInMethod = (db: DatabaseSync, accountId: string, id: string): boolean =>
  prepared(
    db,
    `SELECT 1 FROM credentials WHERE account_id = $account AND kind = 'password'
     UNION ALL SELECT 1 FROM passkeys WHERE account_id = $account AND id <> $id
     UNION ALL SELECT 1 FROM identities WHERE account_id = $account AND id <> $id LIMIT 1`,
  ).get({ account: accountId, id }) !== undefined

import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../sqlite/database/prepared.ts'

/** Whether the server has an owner. */
export const isClaimed = (db: DatabaseSync): boolean =>
  prepared(db, 'SELECT 1 FROM accounts WHERE is_owner = 1 LIMIT 1').get() !== undefined

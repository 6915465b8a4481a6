import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../sqlite/database/prepared.ts'

/** A full or read-only disk lets a transaction begin: only a row that was really written proves that writes work. */
export const recordWriteCheck = (db: DatabaseSync, checkedAt: number): void => {
  const upsert = `INSERT INTO write_checks (id, checked_at) VALUES (1, ?)
    ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`
  prepared(db, upsert).run(checkedAt)
}

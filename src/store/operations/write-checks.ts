import { type Query, run } from './query.ts'

/** A full or read-only disk lets a transaction begin: only a row that was really written proves that writes work. */
export function* recordWriteCheck(checkedAt: number): Query<void> {
  const upsert = `INSERT INTO write_checks (id, checked_at) VALUES (1, ?)
    ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`
  yield* run(upsert, checkedAt)
}

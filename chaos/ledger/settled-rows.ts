import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SettledRow } from './journal.ts'

/**
 * The settled rows in a dead server's database. Reads a copy: opening the file itself would recover its write-ahead
 * log, which is the next server's job.
 */
export const settledRows = async (dataDir: string): Promise<SettledRow[]> => {
  const copy = `${dataDir}-copy`
  await mkdir(copy)
  try {
    const file = join(copy, 'helix.db')
    await copyFile(join(dataDir, 'helix.db'), file)
    await copyFile(join(dataDir, 'helix.db-wal'), `${file}-wal`).catch(ignoreMissing)
    return readSettled(file)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const readSettled = (file: string): SettledRow[] => {
  const db = new DatabaseSync(file)
  try {
    return db
      .prepare(
        `SELECT request_id, s.prompt_tokens, s.cached_tokens, s.completion_tokens, s.reasoning_tokens
         FROM ledger_settlements s JOIN ledger_reservations r ON r.sequence = s.reservation`,
      )
      .all()
      .map((row): SettledRow => asSettledRow(Object.values(row)))
  } finally {
    db.close()
  }
}

/** Sound because the query selects a text and numbers, in this order. */
const asSettledRow = (values: unknown[]): SettledRow => values as unknown as SettledRow

const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

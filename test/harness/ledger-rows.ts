import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type LedgerLine = {
  requestId: string
  isStream: number
  /** Null while the request runs. */
  outcome: string | null
  error: string | null
  promptTokens: number | null
  completionTokens: number | null
}

/** The ledger in `dataDir`, oldest first, read directly from the file; the server may be running. */
export const ledgerRows = (dataDir: string): LedgerLine[] => {
  const db = new DatabaseSync(join(dataDir, 'helix.db'), { readOnly: true, timeout: 5_000 })
  try {
    const rows = db
      .prepare(
        `SELECT request_id, is_stream, outcome, error, prompt_tokens, completion_tokens FROM ledger_reservations
         LEFT JOIN ledger_settlements ON reservation = sequence ORDER BY sequence`,
      )
      .all()
    return rows.map((row) => ({
      requestId: String(row.request_id),
      isStream: Number(row.is_stream),
      outcome: textOrNull(row.outcome),
      error: textOrNull(row.error),
      promptTokens: numberOrNull(row.prompt_tokens),
      completionTokens: numberOrNull(row.completion_tokens),
    }))
  } finally {
    db.close()
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Resolves once the ledger has settled this many requests. */
export const settledRows = async (dataDir: string, count: number): Promise<LedgerLine[]> => {
  for (;;) {
    const rows = ledgerRows(dataDir)
    if (rows.filter(({ outcome }) => outcome !== null).length >= count) return rows
    await new Promise((resolve) => setImmediate(resolve))
  }
}

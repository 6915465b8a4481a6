import { DatabaseSync } from 'node:sqlite'

/** The ledger as the last server left it, read with separate plain queries: it uses none of the program's code. */
export type Counts = {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  reasoningTokens: number
}

export type SettlementRow = Counts & {
  /** 1: some of the counts are not from the engine. */
  isEstimated: number
  /** In millionths of the currency; null without a price. */
  cost: number | null
  outcome: string
  finishReason: string | null
  firstTokenMs: number | null
  durationMs: number
  endedAt: number
  day: number
}

export type LedgerRecord = {
  sequence: number
  requestId: string
  party: number
  keyId: string | null
  model: string
  createdAt: number
  /** Of a million prompt, cached and completion tokens, as JSON; null: it had none. */
  price: string | null
  reservedCost: number | null
  /** There must be exactly one. */
  settlements: SettlementRow[]
  /** The last checkpoint; null if there was none. */
  progress: (Counts & { writtenAt: number }) | null
}

export type DayTotals = Counts & { party: number; day: number; model: string; requests: number } & Record<
    'failed' | 'clientClosed' | 'estimated' | 'cost' | 'firstTokens' | 'firstTokenMs' | 'durationMs',
    number
  >

export type LedgerContents = {
  records: LedgerRecord[]
  /** Requests that the ledger still considers running. */
  openRecords: number
  totals: DayTotals[]
  /** Request ids of the answers kept for a retry. */
  keptAnswers: { requestId: string }[]
}

const counts = (table: string): string =>
  ['prompt', 'cached', 'completion', 'reasoning'].map((kind) => `${table}.${kind}_tokens ${kind}Tokens`).join(', ')

export const readLedger = (file: string): LedgerContents => {
  const db = new DatabaseSync(file, { readOnly: true })
  const all = <Row>(sql: string): Row[] => asRows<Row>(db.prepare(sql).all())
  try {
    const settlements = all<SettlementRow & { reservation: number }>(
      `SELECT reservation, ${counts('s')}, is_estimated isEstimated, cost, outcome, finish_reason finishReason, first_token_ms firstTokenMs,
         duration_ms durationMs, ended_at endedAt, day FROM ledger_settlements s`,
    )
    const progress = all<Counts & { reservation: number; writtenAt: number }>(
      `SELECT reservation, ${counts('p')}, written_at writtenAt FROM ledger_progress p`,
    )
    const settlementsOf = Map.groupBy(settlements, ({ reservation }) => reservation)
    const progressOf = new Map(progress.map((row) => [row.reservation, row]))
    const records = all<Omit<LedgerRecord, 'settlements' | 'progress'>>(
      `SELECT sequence, request_id requestId, party, key_id keyId, model, created_at createdAt, price,
         reserved_cost reservedCost
       FROM ledger_reservations r JOIN ledger_parties p ON p.id = r.party ORDER BY sequence`,
    ).map((row) => ({
      ...row,
      settlements: settlementsOf.get(row.sequence) ?? [],
      progress: progressOf.get(row.sequence) ?? null,
    }))
    return {
      records,
      openRecords: all(
        'SELECT sequence FROM ledger_reservations WHERE sequence NOT IN (SELECT reservation FROM ledger_settlements)',
      ).length,
      totals: all<DayTotals>(
        `SELECT party, day, model, requests, failed, client_closed clientClosed, estimated, cost, ${counts('u')},
           first_tokens firstTokens, first_token_ms firstTokenMs, duration_ms durationMs FROM usage_days u`,
      ),
      keptAnswers: all('SELECT request_id requestId FROM replays'),
    }
  } finally {
    db.close()
  }
}

/** Sound because each query names its columns like the type's fields, and the tables are strict. */
const asRows = <Row>(rows: unknown[]): Row[] => rows as Row[]

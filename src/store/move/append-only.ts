/** How rows of a table that are never changed are counted. */
export type AppendOnly = {
  /** The column that numbers them. */
  number: string
  /** Columns of integers that are summed. */
  sums: readonly string[]
}

/**
 * Tables whose rows are added and removed, but never changed: what was compared once stays equal, and numbers and sums show
 * which rows were added or removed since. They are the ones that grow with the number of requests.
 */
export const appendOnlyTables: Readonly<Record<string, AppendOnly>> = {
  ledger_reservations: { number: 'sequence', sums: ['sequence', 'created_at', 'reserved_tokens'] },
  ledger_settlements: { number: 'reservation', sums: ['reservation', 'ended_at', 'completion_tokens'] },
  audit_events: { number: 'sequence', sums: ['sequence', 'at'] },
  refused_requests: { number: 'sequence', sums: ['sequence', 'created_at', 'duration_ms'] },
  request_bodies: { number: 'rowid', sums: ['rowid', 'created_at', 'bytes'] },
}

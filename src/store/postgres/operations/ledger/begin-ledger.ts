import { type Query, run } from '../../../operations/query.ts'
import { oldestRunning } from './transaction-ids.ts'

/** Enough that transactions which ran at the same time are among them. */
const newestRows = 10_000

const newestTransaction = `(SELECT greatest(
  (SELECT max(transaction_id) FROM (
    SELECT transaction_id FROM ledger_reservations ORDER BY sequence DESC LIMIT ${newestRows}) AS reserved),
  (SELECT max(transaction_id) FROM (
    SELECT transaction_id FROM refused_requests ORDER BY sequence DESC LIMIT ${newestRows}) AS refused),
  (SELECT max(settled_before) FROM ledger_nodes), 0))`

/**
 * When a server opens the store. Transaction ids of a restored dump come from another cluster and may lie in this one's
 * future: then they are continued from there.
 */
export function* beginLedger(): Query<void> {
  yield* run(`UPDATE ledger_epoch SET xid_offset = ${newestTransaction} + 1 - pg_current_xact_id()::text::bigint
    WHERE ${newestTransaction} >= pg_current_xact_id()::text::bigint + xid_offset`)
}

/** Before its first reservation. A new node has no open ones. */
export function* beginNode(node: string): Query<void> {
  yield* run(
    `INSERT INTO ledger_nodes (node, settled_before) VALUES (?, ${oldestRunning}) ON CONFLICT DO NOTHING`,
    node,
  )
}

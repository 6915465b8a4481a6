/**
 * Rows get their sequences when they are inserted and become visible when their transaction commits, which may be in
 * another order: a reader that remembered the largest sequence would miss rows. Rows are therefore read in the order of
 * their transactions, and only those of transactions below the oldest one that still runs: whatever becomes visible later
 * comes after all that was read before.
 */
const offset = '(SELECT xid_offset FROM ledger_epoch)'

/** The transaction of the statement. */
export const currentTransaction = `(pg_current_xact_id()::text::bigint + ${offset})`

/**
 * All transactions before this one have ended. Transactions of other databases write nothing here: those that are known
 * to be theirs are left out, so that a long one does not delay anybody.
 */
export const oldestRunning = `(
  SELECT coalesce(min(running.xid::text::bigint), pg_snapshot_xmax(pg_current_snapshot())::text::bigint) + ${offset}
  FROM pg_snapshot_xip(pg_current_snapshot()) AS running (xid)
  WHERE NOT EXISTS (
    SELECT 1 FROM pg_stat_activity AS elsewhere WHERE elsewhere.datname <> current_database()
      AND elsewhere.backend_xid::text::bigint = running.xid::text::bigint & 4294967295
  )
)`

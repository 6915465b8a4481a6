import type { NewNode, NodeHeartbeat, NodeRecord } from '../../../node-contract.ts'
import { all, first, type Query, run } from '../../../operations/query.ts'
import { integer, type Row, text, textOrNull } from '../../../operations/row.ts'
import { beginNode } from '../ledger/begin-ledger.ts'

/** Milliseconds since 1970 by the clock of the database, which is the same for all nodes. */
export const databaseNow = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/**
 * A statement that began before the lease ended may still add a reservation afterwards. Statements end long before this:
 * see `storeTimeoutMs`, which is added to it.
 */
const lateMs = 60_000

export function* readDatabaseNow(): Query<number> {
  return integer((yield* first(`SELECT ${databaseNow} AS now`)) ?? {}, 'now')
}

export function* registerNode({ id, name, address, version, status, certificate, engine }: NewNode): Query<void> {
  yield* run(
    `INSERT INTO nodes (id, name, address, version, started_at, seen_at, status, certificate, engine)
      VALUES (?, ?, ?, ?, ${databaseNow}, ${databaseNow}, ?, ?, ?)`,
    ...[id, name, address, version, status, certificate, engine],
  )
  yield* beginNode(id)
}

export function* beatNode({ id, address, status, engine }: NodeHeartbeat): Query<boolean> {
  const sql = `UPDATE nodes SET seen_at = ${databaseNow}, address = ?, status = ?, engine = ?
    WHERE id = ? AND ended_at IS NULL`
  return (yield* run(sql, address, status, engine, id)) === 1
}

export function* listNodes(): Query<NodeRecord[]> {
  const sql = `SELECT id, name, address, version, started_at, status, certificate, engine, ${databaseNow} - seen_at AS seen_ms_ago
    FROM nodes WHERE ended_at IS NULL ORDER BY name, started_at, id`
  return (yield* all(sql)).map(readNode)
}

export function* readDatabaseTime(): Query<number> {
  return integer((yield* first(`SELECT ${databaseNow} AS now`)) ?? {}, 'now')
}

const readNode = (row: Row): NodeRecord => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  address: text(row, 'address'),
  version: text(row, 'version'),
  startedAt: integer(row, 'started_at'),
  seenMsAgo: Math.max(0, integer(row, 'seen_ms_ago')),
  status: text(row, 'status'),
  certificate: text(row, 'certificate'),
  engine: textOrNull(row, 'engine'),
})

/** A single server, which has no lease, may have died before: while nodes share the lock it cannot be running. */
export function* endSilentNodes(leaseMs: number): Query<Pick<NodeRecord, 'id' | 'name'>[]> {
  yield* run(
    `UPDATE nodes SET ended_at = ${databaseNow} WHERE ended_at IS NULL AND seen_at < ${databaseNow} - CAST(? AS bigint)`,
    leaseMs,
  )
  const rows = yield* all(`SELECT id, name FROM nodes WHERE ended_at IS NOT NULL
    UNION ALL
    SELECT node, node FROM ledger_nodes WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE id = node)
    ORDER BY id`)
  return rows.map((row) => ({ id: text(row, 'id'), name: text(row, 'name') }))
}

export function* listEndedNodes(): Query<string[]> {
  const sql = `SELECT node FROM ledger_nodes
    WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE id = node AND ended_at IS NULL) ORDER BY node`
  return (yield* all(sql)).map((row) => text(row, 'node'))
}

/** Both rows or none: a mark without its node would count as a node that died. */
export const removeEndedNode = (statementTimeoutMs: number) =>
  function* (id: string): Query<boolean> {
    const isPresent = (yield* first('SELECT 1 AS present FROM nodes WHERE id = ?', id)) !== undefined
    const sql = `DELETE FROM nodes WHERE id = ? AND ended_at < ${databaseNow} - CAST(? AS bigint)`
    if (isPresent && (yield* run(sql, id, lateMs + statementTimeoutMs)) === 0) return false
    yield* run('DELETE FROM ledger_nodes WHERE node = ?', id)
    return true
  }

/** All reservations of a node that stops in order are settled, unless the database could not be reached in time. */
export function* leaveNode(id: string): Query<void> {
  const open = yield* first(
    `SELECT 1 AS open FROM ledger_reservations AS reserved WHERE node = $node
      AND transaction_id >= (SELECT settled_before FROM ledger_nodes WHERE node = $node)
      AND NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = reserved.sequence) LIMIT 1`,
    { node: id },
  )
  if (open !== undefined) {
    yield* run(`UPDATE nodes SET ended_at = ${databaseNow} WHERE id = ? AND ended_at IS NULL`, id)
    return
  }
  yield* run('DELETE FROM nodes WHERE id = ?', id)
  yield* run('DELETE FROM ledger_nodes WHERE node = ?', id)
}

export function* holdTask(name: string, node: string, forMs: number): Query<boolean> {
  const sql = `INSERT INTO task_leases (name, node, until) VALUES ($name, $node, ${databaseNow} + CAST($for AS bigint))
    ON CONFLICT (name) DO UPDATE SET node = excluded.node, until = excluded.until
    WHERE task_leases.node = excluded.node OR task_leases.until <= ${databaseNow}`
  return (yield* run(sql, { name, node, for: forMs })) === 1
}

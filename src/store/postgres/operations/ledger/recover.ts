import { settlementRow } from '../../../operations/ledger/ledger-rows.ts'
import { recoveredColumns, recoveredSettlement } from '../../../operations/ledger/recovered-settlement.ts'
import { all, type Query, run } from '../../../operations/query.ts'
import { text } from '../../../operations/row.ts'
import type { OwnNode } from '../../own-node.ts'
import { settleRequests } from './settle.ts'
import { oldestRunning } from './transaction-ids.ts'

/** Reservations of a node that may be open are those since the mark. */
export const openOfNode = `reserved.node = CAST($node AS text)
  AND reserved.transaction_id >= (SELECT settled_before FROM ledger_nodes WHERE ledger_nodes.node = $node)
  AND NOT EXISTS (SELECT 1 FROM ledger_settlements AS settled WHERE settled.reservation = reserved.sequence)`

const findOpen = `SELECT ${recoveredColumns}
  FROM ledger_reservations AS reserved LEFT JOIN ledger_progress AS progress ON progress.reservation = reserved.sequence
  WHERE ${openOfNode} ORDER BY reserved.sequence LIMIT 1000`

/** Settles the open requests of a node that died. */
export function* recoverNode(node: string, now: number, day: number): Query<number> {
  let recovered = 0
  for (;;) {
    const rows = yield* all(findOpen, { node })
    if (rows.length === 0) return recovered
    const settlements = rows.map((row) => settlementRow(recoveredSettlement(row, now, day)))
    recovered += yield* settleRequests(settlements, [])
  }
}

/**
 * Settles what was left open before this start. A server that uses the database alone settles the requests of every node: no
 * other can be running. Of several, each has a new id, and the requests of dead ones are settled once their leases end.
 */
export const recoverRequests = ({ id: own, isLeased }: OwnNode) =>
  function* (now: number, day: number): Query<number> {
    if (isLeased) return 0
    let recovered = 0
    for (const row of yield* all('SELECT node FROM ledger_nodes ORDER BY node'))
      recovered += yield* recoverNode(text(row, 'node'), now, day)
    yield* run('DELETE FROM ledger_nodes WHERE node <> ?', own)
    yield* run('DELETE FROM nodes')
    return recovered
  }

/** Moves the mark up to the oldest open reservation, and never past a transaction that may still add one. */
const advance = `UPDATE ledger_nodes SET settled_before = least(${oldestRunning}, (
    SELECT min(reserved.transaction_id) FROM ledger_reservations AS reserved WHERE ${openOfNode}
  )) WHERE ledger_nodes.node = $node`

export function* advanceSettled(node: string): Query<void> {
  yield* run(advance, { node })
}

import { settlementRow } from '../../../operations/ledger/ledger-rows.ts'
import { recoveredSettlement } from '../../../operations/ledger/recovered-settlement.ts'
import { all, type Query, run } from '../../../operations/query.ts'
import { settleRequests } from './settle.ts'
import { oldestRunning } from './transaction-ids.ts'

/** Reservations of a node that may be open are those since the mark. */
const openOfNode = `reserved.node = CAST($node AS text)
  AND reserved.transaction_id >= (SELECT settled_before FROM ledger_nodes WHERE ledger_nodes.node = $node)
  AND NOT EXISTS (SELECT 1 FROM ledger_settlements AS settled WHERE settled.reservation = reserved.sequence)`

const findOpen = `SELECT request_id, created_at, price, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens,
    is_estimated, written_at
  FROM ledger_reservations AS reserved LEFT JOIN ledger_progress AS progress ON progress.reservation = reserved.sequence
  WHERE ${openOfNode} ORDER BY reserved.sequence LIMIT 1000`

/** Settles requests that this node left open when it died; those of other nodes are theirs. */
export const recoverRequests = (node: string) =>
  function* (now: number, day: number): Query<number> {
    let recovered = 0
    for (;;) {
      const rows = yield* all(findOpen, { node })
      if (rows.length === 0) return recovered
      const settlements = rows.map((row) => settlementRow(recoveredSettlement(row, now, day)))
      recovered += yield* settleRequests(settlements, [])
    }
  }

/** Moves the mark up to the oldest open reservation, and never past a transaction that may still add one. */
const advance = `UPDATE ledger_nodes SET settled_before = least(${oldestRunning}, (
    SELECT min(reserved.transaction_id) FROM ledger_reservations AS reserved WHERE ${openOfNode}
  )) WHERE ledger_nodes.node = $node`

export function* advanceSettled(node: string): Query<void> {
  yield* run(advance, { node })
}

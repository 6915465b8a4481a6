import type { OpenRequest } from '../../../node-contract.ts'
import { recoveredColumns, recoveredSettlement } from '../../../operations/ledger/recovered-settlement.ts'
import { all, type Query } from '../../../operations/query.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../../../operations/row.ts'
import { openOfNode } from './recover.ts'

const page = `SELECT reserved.sequence, organisation_id, key_id, reserved_tokens, reserved_cost, ${recoveredColumns}
  FROM ledger_reservations AS reserved
  JOIN ledger_parties AS parties ON parties.id = reserved.party
  LEFT JOIN ledger_progress AS progress ON progress.reservation = reserved.sequence
  WHERE ${openOfNode} AND reserved.sequence > $after ORDER BY reserved.sequence LIMIT 1000`

export function* listOpenRequests(node: string, after: number): Query<OpenRequest[]> {
  return (yield* all(page, { node, after })).map(openRequest)
}

/** An answer whose reservation was extended may have used more than the ledger knows to be reserved. */
const openRequest = (row: Row): OpenRequest => {
  const { requestId, promptTokens, completionTokens, costMicros } = recoveredSettlement(row, 0, 0)
  return {
    sequence: integer(row, 'sequence'),
    requestId,
    organisationId: text(row, 'organisation_id'),
    keyId: textOrNull(row, 'key_id'),
    tokens: Math.max(integer(row, 'reserved_tokens'), promptTokens + completionTokens),
    costMicros: Math.max(integerOrNull(row, 'reserved_cost') ?? 0, costMicros ?? 0),
  }
}

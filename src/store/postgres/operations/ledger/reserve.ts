import { reservationColumns, storedReservationColumns } from '../../../operations/ledger/ledger-columns.ts'
import type { ReservationRow } from '../../../operations/ledger/ledger-rows.ts'
import { pseudonym } from '../../../operations/ledger/pseudonymise.ts'
import { all, type Query, run } from '../../../operations/query.ts'
import { integer, type Row, text, textOrNull } from '../../../operations/row.ts'
import type { OwnNode } from '../../own-node.ts'
import { jsonText, jsonValues } from './json-text.ts'
import { currentTransaction } from './transaction-ids.ts'

/**
 * A claim belongs to the id that the node had when it was claimed. A node that was taken for dead has another id since, and
 * another request may have its claims.
 */
const hasClaims = `NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text(CAST($claimed AS jsonb)) AS list (request)
    WHERE NOT EXISTS (SELECT 1 FROM replay_claims WHERE request_id = request AND node = CAST($node AS text)))`
const isOwnNodeAlive = 'EXISTS (SELECT 1 FROM nodes WHERE id = CAST($node AS text) AND ended_at IS NULL)'

const stored = storedReservationColumns.join(', ')
const input = jsonValues(reservationColumns)
  .map((value, n) => `${value} AS ${reservationColumns[n]?.name}`)
  .join(', ')

/**
 * Inserts all of them in one round trip if every caller is known; otherwise none, and returns the callers to add. Also none
 * if the lease of the node was ended: nobody would settle them.
 */
const insertUnder = (isAlive: string): string => `WITH input AS MATERIALIZED (
    SELECT n, ${input}
    FROM jsonb_array_elements(CAST($rows AS jsonb)) WITH ORDINALITY AS list (item, n)
  ), called AS MATERIALIZED (
    SELECT input.*, parties.id AS party FROM input LEFT JOIN ledger_parties AS parties
      ON parties.organisation_id = input.organisation_id AND coalesce(parties.key_id, '') = coalesce(input.key_id, '')
  ), inserted AS (
    INSERT INTO ledger_reservations (transaction_id, node, ${stored})
      SELECT ${currentTransaction}, CAST($node AS text), ${stored}
      FROM called WHERE NOT EXISTS (SELECT 1 FROM called WHERE party IS NULL) AND ${isAlive} ORDER BY n
  )
  SELECT DISTINCT organisation_id, key_id, 0 AS is_refused FROM called WHERE party IS NULL
  UNION ALL SELECT '', NULL, 1 WHERE NOT ${isAlive}`
const insertAlone = insertUnder('true')
const insertLeased = insertUnder(isOwnNodeAlive)
const insertClaimed = insertUnder(`(${isOwnNodeAlive} AND ${hasClaims})`)

const addCallers = `INSERT INTO ledger_parties (organisation_id, key_id)
  SELECT caller->>0, caller->>1 FROM jsonb_array_elements(CAST(? AS jsonb)) AS list (caller) ON CONFLICT DO NOTHING`

const maxAttempts = 3

export const reserveRequests = (own: OwnNode) =>
  function* (rows: readonly ReservationRow[], claimed: readonly string[] = []): Query<void> {
    if (rows.length === 0) return
    let wanted = rows
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const values = { rows: jsonText(wanted), node: own.id }
      const missing = yield* insertReservations(own, values, claimed)
      if (missing.length === 0) return
      if (missing.some((row) => integer(row, 'is_refused') === 1)) throw new Error('the lease of this node has ended')
      const callers = missing.map((row) => ({
        organisationId: text(row, 'organisation_id'),
        keyId: textOrNull(row, 'key_id'),
      }))
      const names = yield* findNames(callers)
      yield* run(addCallers, jsonText([...names.values()]))
      wanted = wanted.map((row) => renamed(row, names))
    }
    throw new Error('callers were renamed while requests were reserved')
  }

const insertReservations = (
  { isLeased }: OwnNode,
  values: { rows: string; node: string },
  claimed: readonly string[],
): Query<Row[]> => {
  if (!isLeased) return all(insertAlone, values)
  if (claimed.length === 0) return all(insertLeased, values)
  return all(insertClaimed, { ...values, claimed: jsonText(claimed) })
}

type Caller = { organisationId: string; keyId: string | null }
type Names = Map<string, readonly [organisationId: string, keyId: string | null]>

/** An account may have been deleted a moment ago: then its rows get no name that would have to be removed again. */
function* findNames(callers: readonly Caller[]): Query<Names> {
  const ids = [...new Set(callers.map(({ organisationId }) => organisationId))]
  const found = yield* all(
    'SELECT id FROM organisations WHERE id IN (SELECT jsonb_array_elements_text(CAST(? AS jsonb)))',
    jsonText(ids),
  )
  const existing = new Set(found.map((row) => text(row, 'id')))
  return new Map(
    callers.map(({ organisationId, keyId }) => [
      callerName(organisationId, keyId),
      existing.has(organisationId) ? [organisationId, keyId] : [pseudonym(), keyId === null ? null : pseudonym()],
    ]),
  )
}

const renamed = (row: ReservationRow, names: Names): ReservationRow => {
  const [requestId, organisationId, keyId, ...rest] = row
  const name = names.get(callerName(organisationId, keyId))
  return name === undefined ? row : [requestId, ...name, ...rest]
}

const callerName = (organisationId: string, keyId: string | null): string => `${organisationId} ${keyId ?? ''}`

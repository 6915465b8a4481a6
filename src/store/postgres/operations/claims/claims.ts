import type { Claim, ClaimName, FoundClaim } from '../../../claim-contract.ts'
import { all, first, type Query, run } from '../../../operations/query.ts'
import { bytes, text } from '../../../operations/row.ts'

/**
 * A node whose lease has ended cannot reserve any more. A statement of it that began before that may still be running, but
 * not for so long.
 */
const lateMs = 5_000

/** Its node is alive, or the node has died and its request is still to be settled. */
const isHeld = `(
    EXISTS (SELECT 1 FROM nodes WHERE nodes.id = claims.node AND (ended_at IS NULL
      OR ended_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${lateMs}))
    OR EXISTS (SELECT 1 FROM ledger_reservations AS reserved WHERE reserved.request_id = claims.request_id
      AND NOT EXISTS (SELECT 1 FROM ledger_settlements AS settled WHERE settled.reservation = reserved.sequence))
  )`

const claimValues = ({ organisationId, keyHash }: ClaimName, claim: Claim, node: string) => ({
  organisation: organisationId,
  key: keyHash,
  node,
  request: claim.requestId,
  completion: claim.completionId,
  body: claim.bodyHash,
  stream: claim.stream ? 1 : 0,
})

const insertClaim = `INSERT INTO replay_claims (organisation_id, key_hash, node, request_id, completion_id, body_hash, is_stream)
  VALUES ($organisation, $key, $node, $request, $completion, $body, $stream) ON CONFLICT DO NOTHING`
const removeClaim = 'DELETE FROM replay_claims WHERE organisation_id = ? AND key_hash = ? AND request_id = ?'

const maxAttempts = 5

/** Each statement by itself: one that waited for another node's sees what that one has written. */
export function* claimReplay(name: ClaimName, claim: Claim, node: string): Query<FoundClaim | null> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if ((yield* run(insertClaim, claimValues(name, claim, node))) === 1) return null
    const found = yield* findClaim(name)
    if (found !== null) return found
  }
  throw new Error('the claim changed too often')
}

export function* findClaim({ organisationId, keyHash }: ClaimName): Query<FoundClaim | null> {
  const row = yield* first(
    `SELECT request_id, completion_id, body_hash, is_stream, CASE WHEN ${isHeld} THEN 1 ELSE 0 END AS is_held
      FROM replay_claims AS claims WHERE organisation_id = ? AND key_hash = ?`,
    organisationId,
    keyHash,
  )
  if (row === undefined) return null
  return {
    requestId: text(row, 'request_id'),
    completionId: text(row, 'completion_id'),
    bodyHash: bytes(row, 'body_hash'),
    stream: row.is_stream === 1,
    isHeld: row.is_held === 1,
  }
}

export function* takeOverClaim(name: ClaimName, requestId: string, claim: Claim, node: string): Query<boolean> {
  const changed = yield* run(
    `UPDATE replay_claims AS claims SET node = $node, request_id = $request, completion_id = $completion,
        body_hash = $body, is_stream = $stream
      WHERE organisation_id = $organisation AND key_hash = $key AND request_id = $previous AND NOT ${isHeld}`,
    { ...claimValues(name, claim, node), previous: requestId },
  )
  return changed === 1
}

export function* releaseClaim({ organisationId, keyHash }: ClaimName, requestId: string): Query<void> {
  yield* run(removeClaim, organisationId, keyHash, requestId)
}

/**
 * In a transaction that stores the answer of a claim whose node died, or that was released: false if another request has the
 * claim. Otherwise whoever claims the key, or takes the claim over, waits for the end of the transaction: the primary key is
 * taken until then, although the row is already gone again.
 */
export function* excludeClaims({ organisationId, keyHash, ...claim }: ClaimName & Claim): Query<boolean> {
  yield* run(insertClaim, claimValues({ organisationId, keyHash }, claim, ''))
  return (yield* run(removeClaim, organisationId, keyHash, claim.requestId)) === 1
}

export function* heldClaims(requestIds: readonly string[]): Query<ReadonlySet<string>> {
  const rows = yield* all(
    `SELECT request_id FROM replay_claims AS claims
      WHERE request_id IN (SELECT jsonb_array_elements_text(CAST(? AS jsonb))) AND ${isHeld}`,
    JSON.stringify(requestIds),
  )
  return new Set(rows.map((row) => text(row, 'request_id')))
}

export function* listClaims(node: string): Query<{ name: ClaimName; requestId: string }[]> {
  const rows = yield* all('SELECT organisation_id, key_hash, request_id FROM replay_claims WHERE node = ?', node)
  return rows.map((row) => ({
    name: { organisationId: text(row, 'organisation_id'), keyHash: bytes(row, 'key_hash') },
    requestId: text(row, 'request_id'),
  }))
}

/** Once nothing can be replayed from Redis either. The node itself is removed from the list soon after it died. */
export function* removeDeadClaims(): Query<number> {
  return yield* run(`DELETE FROM replay_claims AS claims
    WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = claims.node) AND NOT ${isHeld}`)
}

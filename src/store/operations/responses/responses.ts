import type { ChainLimits, ResponseChain, StoredResponse } from '../../response-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'

import { integer, type Row, text, textOrNull } from '../row.ts'

/** The maximum for an organisation. */
const maxKept = 10_000
const maxKeptBytes = 268_435_456
/** Of long ones only a few at a time: each page of them is overwritten, and requests wait for it. */
const removedAtOnce = 50
const removedAtOnceBytes = 4_194_304

/** Nothing is stored for an organisation that was deleted. */
export function* insertResponse(record: StoredResponse, itemIds: readonly string[]): Query<void> {
  const insert = `INSERT INTO stored_responses (id, organisation_id, created_at, bytes, previous_id, response, input, deltas)
    SELECT $id, $organisation, $createdAt, octet_length(CAST($response AS TEXT)) + octet_length(CAST($input AS TEXT))
      + coalesce(octet_length(CAST($deltas AS TEXT)), 0), $previous, $response, $input, $deltas
    FROM organisations WHERE id = $organisation
    RETURNING sequence`
  const { organisationId } = record
  const inserted = yield* first(insert, {
    id: record.id,
    organisation: organisationId,
    createdAt: record.createdAt,
    previous: record.previousId,
    response: record.response,
    input: record.input,
    deltas: record.deltas,
  })
  if (inserted === undefined) return
  const insertItem = 'INSERT INTO stored_response_items (organisation_id, id, sequence) VALUES (?, ?, ?)'
  for (const id of new Set(itemIds)) yield* run(insertItem, organisationId, id, integer(inserted, 'sequence'))
  yield* makeRoom(organisationId)
}

function* makeRoom(organisationId: string): Query<void> {
  const totals = 'SELECT responses, bytes FROM stored_response_totals WHERE organisation_id = ?'
  const row = (yield* first(totals, organisationId)) ?? {}
  let [kept, bytes] = [integer(row, 'responses'), integer(row, 'bytes')]
  const oldest = `SELECT sequence, bytes FROM stored_responses WHERE organisation_id = ?
    ORDER BY created_at, sequence LIMIT ?`
  // The newest one stays, whatever its size.
  while (kept > 1 && (kept > maxKept || bytes > maxKeptBytes))
    for (const one of yield* all(oldest, organisationId, removedAtOnce)) {
      if (kept <= 1 || (kept <= maxKept && bytes <= maxKeptBytes)) return
      yield* removeRow(one)
      kept -= 1
      bytes -= integer(one, 'bytes')
    }
}

const columns = 'id, organisation_id, created_at, previous_id, response, input, deltas'

export function* findResponse(organisationId: string, id: string, since: number): Query<StoredResponse | null> {
  const find = `SELECT ${columns} FROM stored_responses WHERE id = ? AND organisation_id = ? AND created_at >= ?`
  const row = yield* first(find, id, organisationId, since)
  return row === undefined ? null : storedResponse(row)
}

/** A chain cannot contain a response twice: each one exists before those that continue it. */
export function* findResponseChain(
  organisationId: string,
  id: string,
  since: number,
  { maxResponses, maxCharacters }: ChainLimits,
): Query<ResponseChain> {
  const responses: StoredResponse[] = []
  let characters = 0
  let next: string | null = id
  while (next !== null) {
    const found: StoredResponse | null = yield* findResponse(organisationId, next, since)
    if (found === null) return { outcome: 'missing', id: next }
    characters += found.response.length + found.input.length
    if (responses.length === maxResponses || characters > maxCharacters) return { outcome: 'too_long' }
    responses.push(found)
    next = found.previousId
  }
  return { outcome: 'found', responses: responses.reverse() }
}

export function* findResponsesWithItems(
  organisationId: string,
  itemIds: readonly string[],
  since: number,
): Query<Map<string, string>> {
  const find = `SELECT r.response FROM stored_response_items AS i JOIN stored_responses AS r ON r.sequence = i.sequence
      WHERE i.organisation_id = ? AND i.id = ? AND r.created_at >= ? ORDER BY i.sequence DESC LIMIT 1`
  const found = new Map<string, string>()
  for (const id of itemIds) {
    const row = yield* first(find, organisationId, id, since)
    if (row !== undefined) found.set(id, text(row, 'response'))
  }
  return found
}

/** The index of its items is deleted with it. */
export function* removeResponse(organisationId: string, id: string): Query<boolean> {
  const remove = 'DELETE FROM stored_responses WHERE organisation_id = ? AND id = ?'
  return (yield* deleteText(run(remove, organisationId, id))) === 1
}

export function* removeExpiredResponses(before: number): Query<number> {
  const due = 'SELECT sequence, bytes FROM stored_responses WHERE created_at < ? ORDER BY created_at LIMIT ?'
  let removed = 0
  let removedBytes = 0
  for (const row of yield* all(due, before, removedAtOnce)) {
    removedBytes += integer(row, 'bytes')
    if (removed > 0 && removedBytes > removedAtOnceBytes) break
    yield* removeRow(row)
    removed += 1
  }
  return removed
}

function* removeRow(row: Row): Query<void> {
  yield* deleteText(run('DELETE FROM stored_responses WHERE sequence = ?', integer(row, 'sequence')))
}

const storedResponse = (row: Row): StoredResponse => ({
  id: text(row, 'id'),
  organisationId: text(row, 'organisation_id'),
  createdAt: integer(row, 'created_at'),
  previousId: textOrNull(row, 'previous_id'),
  response: text(row, 'response'),
  input: text(row, 'input'),
  deltas: textOrNull(row, 'deltas'),
})

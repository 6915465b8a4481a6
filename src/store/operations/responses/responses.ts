import type { DatabaseSync } from 'node:sqlite'
import type { ChainLimits, ResponseChain, StoredResponse } from '../../response-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { emptyLogAfterCommit } from '../../sqlite/thread/after-commit.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'

/** Of one organisation. */
const mostKept = 10_000
const mostKeptBytes = 268_435_456
/** Of long ones only a few at a time: each page of them is overwritten, and requests wait for it. */
const removedAtOnce = 50
const removedAtOnceBytes = 4_194_304

/** Nothing is stored for an organisation that was deleted. */
export const insertResponse = (db: DatabaseSync, record: StoredResponse, itemIds: readonly string[]): void => {
  const insert = `INSERT INTO stored_responses (id, organisation_id, created_at, bytes, previous_id, response, input, deltas)
    SELECT $id, $organisation, $createdAt, octet_length($response) + octet_length($input)
      + coalesce(octet_length($deltas), 0), $previous, $response, $input, $deltas
    FROM organisations WHERE id = $organisation
    RETURNING sequence`
  const { organisationId } = record
  const inserted = prepared(db, insert).get({
    id: record.id,
    organisation: organisationId,
    createdAt: record.createdAt,
    previous: record.previousId,
    response: record.response,
    input: record.input,
    deltas: record.deltas,
  })
  if (inserted === undefined) return
  const insertItem = prepared(db, 'INSERT INTO stored_response_items (organisation_id, id, sequence) VALUES (?, ?, ?)')
  for (const id of new Set(itemIds)) insertItem.run(organisationId, id, integer(inserted, 'sequence'))
  makeRoom(db, organisationId)
}

const makeRoom = (db: DatabaseSync, organisationId: string): void => {
  const totals = 'SELECT responses, bytes FROM stored_response_totals WHERE organisation_id = ?'
  const row = prepared(db, totals).get(organisationId) ?? {}
  let [kept, bytes] = [integer(row, 'responses'), integer(row, 'bytes')]
  const oldest = `SELECT sequence, bytes FROM stored_responses WHERE organisation_id = ?
    ORDER BY created_at, sequence LIMIT ?`
  // The newest one stays, whatever its size.
  while (kept > 1 && (kept > mostKept || bytes > mostKeptBytes))
    for (const one of prepared(db, oldest).all(organisationId, removedAtOnce)) {
      if (kept <= 1 || (kept <= mostKept && bytes <= mostKeptBytes)) return
      removeRow(db, one)
      kept -= 1
      bytes -= integer(one, 'bytes')
    }
}

const columns = 'id, organisation_id, created_at, previous_id, response, input, deltas'

export const findResponse = (
  db: DatabaseSync,
  organisationId: string,
  id: string,
  since: number,
): StoredResponse | null => {
  const find = `SELECT ${columns} FROM stored_responses WHERE id = ? AND organisation_id = ? AND created_at >= ?`
  const row = prepared(db, find).get(id, organisationId, since)
  return row === undefined ? null : storedResponse(row)
}

/** A chain cannot contain a response twice: each one exists before those that continue it. */
export const findResponseChain = (
  db: DatabaseSync,
  organisationId: string,
  id: string,
  since: number,
  { maxResponses, maxCharacters }: ChainLimits,
): ResponseChain => {
  const responses: StoredResponse[] = []
  let characters = 0
  let next: string | null = id
  while (next !== null) {
    const found: StoredResponse | null = findResponse(db, organisationId, next, since)
    if (found === null) return { outcome: 'missing', id: next }
    characters += found.response.length + found.input.length
    if (responses.length === maxResponses || characters > maxCharacters) return { outcome: 'too_long' }
    responses.push(found)
    next = found.previousId
  }
  return { outcome: 'found', responses: responses.reverse() }
}

export const findResponsesWithItems = (
  db: DatabaseSync,
  organisationId: string,
  itemIds: readonly string[],
  since: number,
): Map<string, string> => {
  const find = prepared(
    db,
    `SELECT r.response FROM stored_response_items AS i JOIN stored_responses AS r ON r.sequence = i.sequence
      WHERE i.organisation_id = ? AND i.id = ? AND r.created_at >= ? ORDER BY i.sequence DESC LIMIT 1`,
  )
  const found = new Map<string, string>()
  for (const id of itemIds) {
    const row = find.get(organisationId, id, since)
    if (row !== undefined) found.set(id, text(row, 'response'))
  }
  return found
}

/** The index of its items is deleted with it. */
export const removeResponse = (db: DatabaseSync, organisationId: string, id: string): boolean => {
  const remove = prepared(db, 'DELETE FROM stored_responses WHERE organisation_id = ? AND id = ?')
  const removed = remove.run(organisationId, id).changes === 1
  if (removed) emptyLogAfterCommit(db)
  return removed
}

export const removeExpiredResponses = (db: DatabaseSync, before: number): number => {
  const due = prepared(
    db,
    'SELECT sequence, bytes FROM stored_responses WHERE created_at < ? ORDER BY created_at LIMIT ?',
  )
  let removed = 0
  let removedBytes = 0
  for (const row of due.all(before, removedAtOnce)) {
    removedBytes += integer(row, 'bytes')
    if (removed > 0 && removedBytes > removedAtOnceBytes) break
    removeRow(db, row)
    removed += 1
  }
  if (removed > 0) emptyLogAfterCommit(db)
  return removed
}

const removeRow = (db: DatabaseSync, row: Row): void => {
  prepared(db, 'DELETE FROM stored_responses WHERE sequence = ?').run(integer(row, 'sequence'))
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

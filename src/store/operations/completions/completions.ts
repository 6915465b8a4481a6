import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { ListedCompletion, Metadata, StoredCompletion } from '../../contract.ts'
import { deleteText } from '../delete-text.ts'
import { first, type Query, run } from '../query.ts'

import { integer, type Row, text } from '../row.ts'

export function* insertCompletion(record: StoredCompletion): Query<void> {
  const insert = `INSERT INTO stored_completions (id, organisation_id, created_at, model, metadata, completion, messages)
    VALUES (?, ?, ?, ?, ?, ?, ?)`
  yield* run(
    insert,
    record.id,
    record.organisationId,
    record.createdAt,
    record.model,
    JSON.stringify(record.metadata),
    record.completion,
    record.messages,
  )
  yield* insertPairs(record.id, record.metadata)
}

export function* findCompletion(organisationId: string, id: string): Query<StoredCompletion | null> {
  const find = `SELECT id, organisation_id, created_at, model, metadata, completion, messages
    FROM stored_completions WHERE organisation_id = ? AND id = ?`
  const row = yield* first(find, organisationId, id)
  return row === undefined ? null : { ...listedCompletion(row), messages: text(row, 'messages') }
}

export function* setCompletionMetadata(
  organisationId: string,
  id: string,
  metadata: Metadata | null,
): Query<StoredCompletion | null> {
  const update = 'UPDATE stored_completions SET metadata = ? WHERE organisation_id = ? AND id = ?'
  const changed = yield* deleteText(run(update, JSON.stringify(metadata), organisationId, id))
  if (changed === 0) return null
  const removePairs = `DELETE FROM stored_completion_pairs
    WHERE sequence = (SELECT sequence FROM stored_completions WHERE id = ?)`
  yield* deleteText(run(removePairs, id))
  yield* insertPairs(id, metadata)
  return yield* findCompletion(organisationId, id)
}

/** Its metadata pairs are deleted with it. */
export function* removeCompletion(organisationId: string, id: string): Query<boolean> {
  const remove = 'DELETE FROM stored_completions WHERE organisation_id = ? AND id = ?'
  return (yield* deleteText(run(remove, organisationId, id))) === 1
}

export const listedCompletion = (row: Row): ListedCompletion => ({
  id: text(row, 'id'),
  organisationId: text(row, 'organisation_id'),
  createdAt: integer(row, 'created_at'),
  model: text(row, 'model'),
  metadata: asMetadata(parseJsonText(text(row, 'metadata'))),
  completion: text(row, 'completion'),
})

/**
 * One text for a key and its value. As JSON it contains no NUL, at which SQLite's own JSON functions would cut it off.
 */
export const metadataPairs = (metadata: Metadata | null): string[] =>
  Object.entries(metadata ?? {}).map((pair) => JSON.stringify(pair))

function* insertPairs(id: string, metadata: Metadata | null): Query<void> {
  const insert = `INSERT INTO stored_completion_pairs (organisation_id, pair, created_at, sequence)
    SELECT organisation_id, ?, created_at, sequence FROM stored_completions WHERE id = ?`
  for (const pair of metadataPairs(metadata)) yield* run(insert, pair, id)
}

/** True because the column is written by this file only, from a value of this type. */
const asMetadata = (value: unknown): Metadata | null => value as Metadata | null

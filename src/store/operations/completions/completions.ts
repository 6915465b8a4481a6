import type { DatabaseSync } from 'node:sqlite'
import type { ListedCompletion, Metadata, StoredCompletion } from '../../contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { integer, type Row, text } from '../row.ts'

export const insertCompletion = (db: DatabaseSync, record: StoredCompletion): void => {
  const insert = `INSERT INTO stored_completions (id, organisation_id, created_at, model, metadata, completion, messages)
    VALUES (?, ?, ?, ?, ?, ?, ?)`
  prepared(db, insert).run(
    record.id,
    record.organisationId,
    record.createdAt,
    record.model,
    JSON.stringify(record.metadata),
    record.completion,
    record.messages,
  )
  insertPairs(db, record.id, record.metadata)
}

export const findCompletion = (db: DatabaseSync, organisationId: string, id: string): StoredCompletion | null => {
  const find = `SELECT id, organisation_id, created_at, model, metadata, completion, messages
    FROM stored_completions WHERE organisation_id = ? AND id = ?`
  const row = prepared(db, find).get(organisationId, id)
  return row === undefined ? null : { ...listedCompletion(row), messages: text(row, 'messages') }
}

export const setCompletionMetadata = (
  db: DatabaseSync,
  organisationId: string,
  id: string,
  metadata: Metadata | null,
): StoredCompletion | null => {
  const update = prepared(db, 'UPDATE stored_completions SET metadata = ? WHERE organisation_id = ? AND id = ?')
  if (update.run(JSON.stringify(metadata), organisationId, id).changes === 0) return null
  const removePairs = `DELETE FROM stored_completion_pairs
    WHERE sequence = (SELECT sequence FROM stored_completions WHERE id = ?)`
  prepared(db, removePairs).run(id)
  insertPairs(db, id, metadata)
  return findCompletion(db, organisationId, id)
}

/** Its pairs go with it. */
export const removeCompletion = (db: DatabaseSync, organisationId: string, id: string): boolean =>
  prepared(db, 'DELETE FROM stored_completions WHERE organisation_id = ? AND id = ?').run(organisationId, id)
    .changes === 1

export const listedCompletion = (row: Row): ListedCompletion => ({
  id: text(row, 'id'),
  organisationId: text(row, 'organisation_id'),
  createdAt: integer(row, 'created_at'),
  model: text(row, 'model'),
  metadata: asMetadata(JSON.parse(text(row, 'metadata'))),
  completion: text(row, 'completion'),
})

/**
 * One text for a key and its value. As JSON it contains no NUL, at which SQLite's own JSON functions would cut it off.
 */
export const pairsOf = (metadata: Metadata | null): string[] =>
  Object.entries(metadata ?? {}).map((pair) => JSON.stringify(pair))

const insertPairs = (db: DatabaseSync, id: string, metadata: Metadata | null): void => {
  const insert = `INSERT INTO stored_completion_pairs (organisation_id, pair, created_at, sequence)
    SELECT organisation_id, ?, created_at, sequence FROM stored_completions WHERE id = ?`
  for (const pair of pairsOf(metadata)) prepared(db, insert).run(pair, id)
}

/** True because the column is written by this file only, from a value of this type. */
const asMetadata = (value: unknown): Metadata | null => value as Metadata | null

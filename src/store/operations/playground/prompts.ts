import type { DatabaseSync } from 'node:sqlite'
import {
  type PromptChanges,
  type PromptContent,
  type PromptReader,
  type PromptRecord,
  promptsOfAccount,
  versionsOfPrompt,
} from '../../playground-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { integer, type Row, text } from '../row.ts'

const columns = `prompts.id, prompts.name, is_shared, account_id, accounts.email, prompts.created_at, saved_at, version`
const source = 'prompts JOIN accounts ON accounts.id = account_id'
/** One's own, and what others share. */
const visible = 'organisation_id = $organisation AND removed_at IS NULL AND (account_id = $account OR is_shared = 1)'
/** Only one's own can be changed, removed and brought back. */
const own = 'id = $id AND organisation_id = $organisation AND account_id = $account'

const names = ({ accountId, organisationId }: PromptReader) => ({ account: accountId, organisation: organisationId })

export const listPrompts = (db: DatabaseSync, reader: PromptReader): PromptRecord[] =>
  prepared(db, `SELECT ${columns} FROM ${source} WHERE ${visible} ORDER BY saved_at DESC, prompts.id LIMIT 1000`)
    .all(names(reader))
    .map(promptRecord)

export const insertPrompt = (
  db: DatabaseSync,
  reader: PromptReader,
  prompt: { id: string; name: string; isShared: boolean; content: string; savedAt: number },
): 'inserted' | 'too_many' => {
  const { id, name, isShared, content, savedAt } = prompt
  const { accountId, organisationId } = reader
  const row = prepared(db, 'SELECT count(*) AS count FROM prompts WHERE account_id = ?').get(accountId)
  if (row !== undefined && integer(row, 'count') >= promptsOfAccount) return 'too_many'
  prepared(
    db,
    `INSERT INTO prompts (id, organisation_id, account_id, name, is_shared, created_at, saved_at, version)
      VALUES (?, ?, ?, ?, ?, ?, ?, 1)`,
  ).run(id, organisationId, accountId, name, isShared ? 1 : 0, savedAt, savedAt)
  insertVersion(db, id, 1, content, savedAt)
  return 'inserted'
}

export const findPrompt = (
  db: DatabaseSync,
  reader: PromptReader,
  id: string,
  version: number | null,
): PromptContent | null => {
  const found = prepared(db, `SELECT ${columns} FROM ${source} WHERE prompts.id = $id AND ${visible}`).get({
    id,
    ...names(reader),
  })
  if (found === undefined) return null
  const prompt = promptRecord(found)
  const wanted = version ?? prompt.version
  const content = prepared(db, 'SELECT content FROM prompt_versions WHERE prompt_id = ? AND version = ?').get(
    id,
    wanted,
  )
  if (content === undefined) return null
  const versions = prepared(
    db,
    'SELECT version, saved_at FROM prompt_versions WHERE prompt_id = ? ORDER BY version DESC',
  )
    .all(id)
    .map((row) => ({ version: integer(row, 'version'), savedAt: integer(row, 'saved_at') }))
  return { prompt, content: text(content, 'content'), version: wanted, versions }
}

export const changePrompt = (
  db: DatabaseSync,
  reader: PromptReader,
  id: string,
  { name, isShared, content }: PromptChanges,
  savedAt: number,
): boolean => {
  const found = prepared(db, `SELECT name, is_shared, version FROM prompts WHERE ${own} AND removed_at IS NULL`).get({
    id,
    ...names(reader),
  })
  if (found === undefined) return false
  const version = integer(found, 'version') + (content === undefined ? 0 : 1)
  prepared(db, 'UPDATE prompts SET (name, is_shared, version, saved_at) = (?, ?, ?, ?) WHERE id = ?').run(
    name ?? text(found, 'name'),
    isShared === undefined ? integer(found, 'is_shared') : Number(isShared),
    version,
    savedAt,
    id,
  )
  if (content !== undefined) insertVersion(db, id, version, content, savedAt)
  return true
}

const dayMs = 86_400_000

export const setPromptRemoved = (
  db: DatabaseSync,
  reader: PromptReader,
  id: string,
  at: number | null,
  now: number,
): boolean => {
  prepared(db, 'DELETE FROM prompts WHERE account_id = ? AND removed_at < ?').run(reader.accountId, now - dayMs)
  const update = prepared(db, `UPDATE prompts SET removed_at = $at WHERE ${own}`)
  return update.run({ id, at, ...names(reader) }).changes === 1
}

const insertVersion = (db: DatabaseSync, id: string, version: number, content: string, savedAt: number): void => {
  prepared(db, 'INSERT INTO prompt_versions (prompt_id, version, content, saved_at) VALUES (?, ?, ?, ?)').run(
    ...[id, version, content, savedAt],
  )
  prepared(db, 'DELETE FROM prompt_versions WHERE prompt_id = ? AND version <= ?').run(id, version - versionsOfPrompt)
}

const promptRecord = (row: Row): PromptRecord => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  isShared: integer(row, 'is_shared') === 1,
  createdBy: text(row, 'account_id'),
  createdByEmail: text(row, 'email'),
  createdAt: integer(row, 'created_at'),
  savedAt: integer(row, 'saved_at'),
  version: integer(row, 'version'),
})

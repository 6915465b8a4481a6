import {
  type PromptChanges,
  type PromptContent,
  type PromptReader,
  type PromptRecord,
  promptsOfAccount,
  versionsOfPrompt,
} from '../../playground-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, type Row, text } from '../row.ts'

const columns = `prompts.id, prompts.name, is_shared, account_id, accounts.email, prompts.created_at, saved_at, version`
const source = 'prompts JOIN accounts ON accounts.id = account_id'
/** Those of the account, and those that others share. */
const visible = 'organisation_id = $organisation AND removed_at IS NULL AND (account_id = $account OR is_shared = 1)'
/** Only the creator of a prompt can change, remove and restore it. */
const own = 'id = $id AND organisation_id = $organisation AND account_id = $account'

const names = ({ accountId, organisationId }: PromptReader) => ({ account: accountId, organisation: organisationId })

export function* listPrompts(reader: PromptReader): Query<PromptRecord[]> {
  return (yield* all(
    `SELECT ${columns} FROM ${source} WHERE ${visible} ORDER BY saved_at DESC, prompts.id LIMIT 1000`,
    names(reader),
  )).map(promptRecord)
}

export function* insertPrompt(
  reader: PromptReader,
  prompt: { id: string; name: string; isShared: boolean; content: string; savedAt: number },
): Query<'inserted' | 'too_many'> {
  const { id, name, isShared, content, savedAt } = prompt
  const { accountId, organisationId } = reader
  const row = yield* first('SELECT count(*) AS count FROM prompts WHERE account_id = ?', accountId)
  if (row !== undefined && integer(row, 'count') >= promptsOfAccount) return 'too_many'
  yield* run(
    `INSERT INTO prompts (id, organisation_id, account_id, name, is_shared, created_at, saved_at, version)
      VALUES (?, ?, ?, ?, ?, ?, ?, 1)`,
    id,
    organisationId,
    accountId,
    name,
    isShared ? 1 : 0,
    savedAt,
    savedAt,
  )
  yield* insertVersion(id, 1, content, savedAt)
  return 'inserted'
}

export function* findPrompt(reader: PromptReader, id: string, version: number | null): Query<PromptContent | null> {
  const found = yield* first(`SELECT ${columns} FROM ${source} WHERE prompts.id = $id AND ${visible}`, {
    id,
    ...names(reader),
  })
  if (found === undefined) return null
  const prompt = promptRecord(found)
  const wanted = version ?? prompt.version
  const content = yield* first('SELECT content FROM prompt_versions WHERE prompt_id = ? AND version = ?', id, wanted)
  if (content === undefined) return null
  const rows = yield* all('SELECT version, saved_at FROM prompt_versions WHERE prompt_id = ? ORDER BY version DESC', id)
  const versions = rows.map((row) => ({ version: integer(row, 'version'), savedAt: integer(row, 'saved_at') }))
  return { prompt, content: text(content, 'content'), version: wanted, versions }
}

export function* changePrompt(
  reader: PromptReader,
  id: string,
  { name, isShared, content }: PromptChanges,
  savedAt: number,
): Query<boolean> {
  const found = yield* first(`SELECT is_shared, version FROM prompts WHERE ${own} AND removed_at IS NULL`, {
    id,
    ...names(reader),
  })
  if (found === undefined) return false
  const version = integer(found, 'version') + (content === undefined ? 0 : 1)
  const update = 'UPDATE prompts SET (is_shared, version, saved_at) = (?, ?, ?) WHERE id = ?'
  yield* run(update, isShared === undefined ? integer(found, 'is_shared') : Number(isShared), version, savedAt, id)
  if (name !== undefined) yield* deleteText(run('UPDATE prompts SET name = ? WHERE id = ?', name, id))
  if (content !== undefined) yield* insertVersion(id, version, content, savedAt)
  return true
}

export function* setPromptRemoved(reader: PromptReader, id: string, at: number | null): Query<boolean> {
  const update = `UPDATE prompts SET removed_at = $at WHERE ${own}`
  return (yield* run(update, { id, at, ...names(reader) })) === 1
}

export function* prunePrompts(removedBefore: number, limit: number): Query<number> {
  const due = 'SELECT id FROM prompts WHERE removed_at < ? ORDER BY removed_at LIMIT ?'
  return yield* deleteText(run(`DELETE FROM prompts WHERE id IN (${due})`, removedBefore, limit))
}

function* insertVersion(id: string, version: number, content: string, savedAt: number): Query<void> {
  yield* run(
    'INSERT INTO prompt_versions (prompt_id, version, content, saved_at) VALUES (?, ?, ?, ?)',
    id,
    version,
    content,
    savedAt,
  )
  const removeOld = 'DELETE FROM prompt_versions WHERE prompt_id = ? AND version <= ?'
  yield* deleteText(run(removeOld, id, version - versionsOfPrompt))
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

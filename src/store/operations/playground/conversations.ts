import {
  type ConversationChanges,
  type ConversationContent,
  type ConversationRecord,
  conversationBytesOfMember,
  conversationDays,
  conversationsOfMember,
} from '../../conversation-contract.ts'
import type { PromptReader } from '../../playground-contract.ts'
import { toSearchText } from '../../to-search-text.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, type Row, text } from '../row.ts'

const columns = `id, title, is_pinned, version, created_at, saved_at,
  (SELECT count(*) FROM playground_shares WHERE conversation_id = playground_conversations.id) AS shares`
const ofMember = 'account_id = $account AND organisation_id = $organisation'
const own = `id = $id AND ${ofMember}`
const dayMs = 86_400_000

const names = ({ accountId, organisationId }: PromptReader) => ({ account: accountId, organisation: organisationId })

export function* listConversations(reader: PromptReader, search: string): Query<ConversationRecord[]> {
  const isFound = search === '' ? '1' : String.raw`CASE WHEN search_text LIKE $pattern ESCAPE '\' THEN 1 ELSE 0 END`
  const list = `SELECT ${columns}, ${isFound} AS is_found FROM playground_conversations WHERE ${ofMember}
    ORDER BY is_pinned DESC, saved_at DESC, id LIMIT ${conversationsOfMember}`
  const pattern = search === '' ? {} : { pattern: `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` }
  const rows = yield* all(list, { ...names(reader), ...pattern })
  return rows
    .filter((row) => integer(row, 'is_found') === 1 || toSearchText(text(row, 'title')).includes(search))
    .map(conversationRecord)
}

export function* insertConversation(
  reader: PromptReader,
  id: string,
  { title, content, searchText, savedAt }: ConversationContent,
): Query<'inserted' | 'exists' | 'full' | 'gone'> {
  if (yield* exists(id)) return 'exists'
  const bytes = bytesOf(content, searchText)
  const used = yield* usedSpace(reader, id)
  if (used.count >= conversationsOfMember || used.bytes + bytes > conversationBytesOfMember) return 'full'
  const insert = `INSERT INTO playground_conversations
      (id, account_id, organisation_id, title, is_pinned, version, bytes, created_at, saved_at, search_text, content)
    SELECT $id, account_id, organisation_id, $title, 0, 1, $bytes, $savedAt, $savedAt, $searchText, $content
    FROM memberships WHERE ${ofMember} ON CONFLICT (id) DO NOTHING`
  const values = { id, title, bytes, savedAt, searchText, content, ...names(reader) }
  if ((yield* run(insert, values)) === 1) return 'inserted'
  // It may have been inserted at the same moment.
  return (yield* exists(id)) ? 'exists' : 'gone'
}

function* exists(id: string): Query<boolean> {
  return (yield* first('SELECT id FROM playground_conversations WHERE id = ?', id)) !== undefined
}

/** One of exactly this content. */
export function* findSameConversation(
  reader: PromptReader,
  { content, searchText }: Pick<ConversationContent, 'content' | 'searchText'>,
): Query<string | null> {
  const find = `SELECT id FROM playground_conversations WHERE ${ofMember}
    AND bytes = $bytes AND search_text = $searchText AND content = $content LIMIT 1`
  const row = yield* first(find, { bytes: bytesOf(content, searchText), searchText, content, ...names(reader) })
  return row === undefined ? null : text(row, 'id')
}

export function* findConversation(
  reader: PromptReader,
  id: string,
): Query<{ conversation: ConversationRecord; content: string } | null> {
  const find = `SELECT ${columns}, content FROM playground_conversations WHERE ${own}`
  const row = yield* first(find, { id, ...names(reader) })
  return row === undefined ? null : { conversation: conversationRecord(row), content: text(row, 'content') }
}

export function* changeConversation(
  reader: PromptReader,
  id: string,
  { title, isPinned, saved }: ConversationChanges,
): Query<'changed' | 'changed_meanwhile' | 'full' | 'not_found'> {
  const found = yield* first(`SELECT version FROM playground_conversations WHERE ${own}`, { id, ...names(reader) })
  if (found === undefined) return 'not_found'
  if (saved !== undefined && integer(found, 'version') !== saved.version) {
    // The same text was saved already where only the response was lost: the page was reloaded.
    const same = 'SELECT id FROM playground_conversations WHERE id = ? AND content = ?'
    if ((yield* first(same, id, saved.content)) === undefined) return 'changed_meanwhile'
  } else if (saved !== undefined) {
    const { content, searchText, savedAt } = saved
    const bytes = bytesOf(content, searchText)
    if ((yield* usedSpace(reader, id)).bytes + bytes > conversationBytesOfMember) return 'full'
    const save = `UPDATE playground_conversations
      SET (content, search_text, bytes, saved_at, version) = (?, ?, ?, ?, version + 1) WHERE id = ?`
    yield* deleteText(run(save, content, searchText, bytes, savedAt, id))
  }
  if (title !== undefined)
    yield* deleteText(run('UPDATE playground_conversations SET title = ? WHERE id = ?', title, id))
  if (isPinned !== undefined)
    yield* run('UPDATE playground_conversations SET is_pinned = ? WHERE id = ?', Number(isPinned), id)
  return 'changed'
}

export function* removeConversation(reader: PromptReader, id: string): Query<boolean> {
  const remove = `DELETE FROM playground_conversations WHERE ${own}`
  return (yield* deleteText(run(remove, { id, ...names(reader) }))) === 1
}

/** For as long as the organisation stores bodies. Where it stores none, pinned ones stay until their member deletes them. */
export function* pruneConversations(now: number, limit: number): Query<number> {
  const due = `SELECT playground_conversations.id FROM playground_conversations
      JOIN organisations ON organisations.id = organisation_id
    WHERE saved_at < CAST($now AS BIGINT) - ${dayMs} AND CASE WHEN body_days IS NULL
      THEN is_pinned = 0 AND saved_at < CAST($now AS BIGINT) - ${conversationDays * dayMs}
      ELSE saved_at < CAST($now AS BIGINT) - CAST(body_days AS BIGINT) * ${dayMs} END
    ORDER BY saved_at LIMIT $limit`
  return yield* deleteText(run(`DELETE FROM playground_conversations WHERE id IN (${due})`, { now, limit }))
}

/** Without this one. */
function* usedSpace(reader: PromptReader, id: string): Query<{ count: number; bytes: number }> {
  const sum = `SELECT count(*) AS count, CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes
    FROM playground_conversations WHERE ${ofMember} AND id <> $id`
  const row = yield* first(sum, { id, ...names(reader) })
  return row === undefined ? { count: 0, bytes: 0 } : { count: integer(row, 'count'), bytes: integer(row, 'bytes') }
}

const bytesOf = (content: string, searchText: string): number =>
  Buffer.byteLength(content) + Buffer.byteLength(searchText)

const conversationRecord = (row: Row): ConversationRecord => ({
  id: text(row, 'id'),
  title: text(row, 'title'),
  isPinned: integer(row, 'is_pinned') === 1,
  version: integer(row, 'version'),
  createdAt: integer(row, 'created_at'),
  savedAt: integer(row, 'saved_at'),
  shares: integer(row, 'shares'),
})

import { type SharedConversation, type ShareRecord, sharesOfMember } from '../../conversation-contract.ts'
import type { PromptReader } from '../../playground-contract.ts'
import { deleteText } from '../delete-text.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, text } from '../row.ts'

const source = 'playground_shares JOIN playground_conversations ON playground_conversations.id = conversation_id'
const ofMember = 'account_id = $account AND organisation_id = $organisation'

const names = ({ accountId, organisationId }: PromptReader) => ({ account: accountId, organisation: organisationId })

export function* listShares(reader: PromptReader, conversationId: string): Query<ShareRecord[]> {
  const list = `SELECT playground_shares.id, playground_shares.created_at FROM ${source}
    WHERE conversation_id = $conversation AND ${ofMember} ORDER BY playground_shares.created_at DESC, playground_shares.id`
  const rows = yield* all(list, { conversation: conversationId, ...names(reader) })
  return rows.map((row) => ({ id: text(row, 'id'), createdAt: integer(row, 'created_at') }))
}

export function* insertShare(
  reader: PromptReader,
  share: { id: string; conversationId: string; content: string; createdAt: number },
): Query<'inserted' | 'too_many' | 'not_found'> {
  const { id, conversationId, content, createdAt } = share
  const row = yield* first(`SELECT count(*) AS count FROM ${source} WHERE ${ofMember}`, names(reader))
  if (row !== undefined && integer(row, 'count') >= sharesOfMember) return 'too_many'
  const insert = `INSERT INTO playground_shares (id, conversation_id, created_at, content)
    SELECT $id, id, $createdAt, $content FROM playground_conversations WHERE id = $conversation AND ${ofMember}`
  const values = { id, conversation: conversationId, content, createdAt, ...names(reader) }
  return (yield* run(insert, values)) === 1 ? 'inserted' : 'not_found'
}

export function* findShare(organisationId: string, id: string): Query<SharedConversation | null> {
  const find = `SELECT playground_shares.id, playground_shares.created_at, playground_shares.content, title, account_id, email
    FROM ${source} JOIN accounts ON accounts.id = account_id WHERE playground_shares.id = ? AND organisation_id = ?`
  const row = yield* first(find, id, organisationId)
  if (row === undefined) return null
  return {
    ...{ id: text(row, 'id'), createdAt: integer(row, 'created_at'), title: text(row, 'title') },
    ...{ createdBy: text(row, 'account_id'), createdByEmail: text(row, 'email'), content: text(row, 'content') },
  }
}

export function* removeShare(reader: PromptReader, id: string): Query<boolean> {
  const remove = `DELETE FROM playground_shares WHERE id = $id AND conversation_id IN
    (SELECT id FROM playground_conversations WHERE ${ofMember})`
  return (yield* deleteText(run(remove, { id, ...names(reader) }))) === 1
}

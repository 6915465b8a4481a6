import type { DatabaseSync } from 'node:sqlite'
import type { DraftRecord, PromptReader } from '../../playground-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { integer, text } from '../row.ts'

export const findDraft = (db: DatabaseSync, { accountId, organisationId }: PromptReader): DraftRecord | null => {
  const find = 'SELECT content, version, saved_at FROM playground_drafts WHERE account_id = ? AND organisation_id = ?'
  const row = prepared(db, find).get(accountId, organisationId)
  if (row === undefined) return null
  return { content: text(row, 'content'), version: integer(row, 'version'), savedAt: integer(row, 'saved_at') }
}

/** Nothing is stored for somebody who has just left. */
export const saveDraft = (
  db: DatabaseSync,
  { accountId, organisationId }: PromptReader,
  content: string,
  savedAt: number,
): number | null => {
  const row = prepared(
    db,
    `INSERT INTO playground_drafts (account_id, organisation_id, content, version, saved_at)
      SELECT account_id, organisation_id, $content, 1, $savedAt FROM memberships
      WHERE account_id = $account AND organisation_id = $organisation
    ON CONFLICT DO UPDATE SET content = excluded.content, version = version + 1, saved_at = excluded.saved_at
    RETURNING version`,
  ).get({ account: accountId, organisation: organisationId, content, savedAt })
  return row === undefined ? null : integer(row, 'version')
}

import type { DraftRecord, PromptReader } from '../../playground-contract.ts'
import { deleteText } from '../delete-text.ts'
import { first, type Query } from '../query.ts'

import { integer, text } from '../row.ts'

export function* findDraft({ accountId, organisationId }: PromptReader): Query<DraftRecord | null> {
  const find = 'SELECT content, version, saved_at FROM playground_drafts WHERE account_id = ? AND organisation_id = ?'
  const row = yield* first(find, accountId, organisationId)
  if (row === undefined) return null
  return { content: text(row, 'content'), version: integer(row, 'version'), savedAt: integer(row, 'saved_at') }
}

/** Stores nothing if the account is no longer a member. */
export function* saveDraft(
  { accountId, organisationId }: PromptReader,
  content: string,
  savedAt: number,
): Query<number | null> {
  const save = `INSERT INTO playground_drafts (account_id, organisation_id, content, version, saved_at)
      SELECT account_id, organisation_id, $content, 1, $savedAt FROM memberships
      WHERE account_id = $account AND organisation_id = $organisation
    ON CONFLICT (account_id, organisation_id) DO UPDATE SET content = excluded.content,
      version = playground_drafts.version + 1, saved_at = excluded.saved_at
    RETURNING version`
  const values = { account: accountId, organisation: organisationId, content, savedAt }
  const row = yield* deleteText(first(save, values))
  return row === undefined ? null : integer(row, 'version')
}

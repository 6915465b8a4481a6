import { deleteText } from '../delete-text.ts'
import { first, type Query, run } from '../query.ts'
import { text } from '../row.ts'

type Forgotten = { accountId: string; organisationIds: readonly string[]; keyIds: readonly string[] }

/** A deleted account stays in the audit log by its id only: names and addresses are removed. Events are not touched. */
export function* forgetInAudit({ accountId, organisationIds, keyIds }: Forgotten): Query<void> {
  const row = yield* first('SELECT email FROM accounts WHERE id = ?', accountId)
  const forget = 'UPDATE audit_parties SET name = NULL, address = NULL WHERE subject_id = ? AND kind = ?'
  /** They are named after the hosts of their URLs, and may be gone already. */
  const forgetWebhooks = `UPDATE audit_parties SET name = NULL WHERE kind = 'webhook'
    AND id IN (SELECT target FROM audit_events WHERE organisation_id = ?)`
  yield* deleteText(run(forget, accountId, 'account'))
  for (const id of organisationIds) {
    yield* deleteText(run(forget, id, 'organisation'))
    yield* deleteText(run(forgetWebhooks, id))
  }
  for (const id of keyIds) yield* deleteText(run(forget, id, 'key'))
  if (row === undefined) return
  yield* deleteText(run('UPDATE audit_parties SET name = NULL WHERE name = ?', text(row, 'email')))
}

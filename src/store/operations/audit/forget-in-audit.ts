import { deleteText } from '../delete-text.ts'
import { first, type Query, run } from '../query.ts'
import { text } from '../row.ts'

type ForgottenOrganisations = { organisationIds: readonly string[]; keyIds: readonly string[] }
type ForgottenAccount = ForgottenOrganisations & { accountId: string }

const forget = 'UPDATE audit_parties SET name = NULL, address = NULL WHERE subject_id = ? AND kind = ?'

/** A deleted account stays in the audit log by its id only: names and addresses are removed. Events are not touched. */
export function* forgetInAudit({ accountId, ...organisations }: ForgottenAccount): Query<void> {
  const row = yield* first('SELECT email FROM accounts WHERE id = ?', accountId)
  yield* deleteText(run(forget, accountId, 'account'))
  yield* forgetOrganisationsInAudit(organisations)
  if (row === undefined) return
  yield* deleteText(run('UPDATE audit_parties SET name = NULL WHERE name = ?', text(row, 'email')))
}

/** The same for deleted organisations, with their keys and webhooks. */
export function* forgetOrganisationsInAudit({ organisationIds, keyIds }: ForgottenOrganisations): Query<void> {
  /** They are named after the hosts of their URLs, and may be gone already. */
  const forgetWebhooks = `UPDATE audit_parties SET name = NULL WHERE kind = 'webhook'
    AND id IN (SELECT target FROM audit_events WHERE organisation_id = ?)`
  for (const id of organisationIds) {
    yield* deleteText(run(forget, id, 'organisation'))
    yield* deleteText(run(forgetWebhooks, id))
  }
  for (const id of keyIds) yield* deleteText(run(forget, id, 'key'))
}

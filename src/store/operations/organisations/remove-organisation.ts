import { deleteText } from '../delete-text.ts'
import { pseudonymise } from '../ledger/pseudonymise.ts'
import { all, type Query, run } from '../query.ts'

import { text } from '../row.ts'

/**
 * Returns its keys. Memberships, invitations, sessions, replays, cached answers, refused requests, stored bodies, stored responses
 * and the pairs of metadata are deleted by cascade. The ledger stays, without the names.
 */
export function* removeOrganisation(id: string): Query<string[]> {
  yield* deleteText(run('DELETE FROM stored_completions WHERE organisation_id = ?', id))
  const keys = yield* deleteText(all('DELETE FROM api_keys WHERE organisation_id = ? RETURNING id', id))
  yield* pseudonymise(id)
  yield* deleteText(run('DELETE FROM organisations WHERE id = ?', id))
  return keys.map((row) => text(row, 'id'))
}

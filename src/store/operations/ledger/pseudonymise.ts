import { randomBytes } from 'node:crypto'
import { all, type Query, run, signal } from '../query.ts'
import { integer } from '../row.ts'

/** Replaces the ids of an organisation and its keys in the ledger with pseudonyms. Their totals stay separate. */
export function* pseudonymise(organisationId: string): Query<void> {
  const organisation = pseudonym()
  const callers = yield* all('SELECT id, key_id FROM ledger_parties WHERE organisation_id = ?', organisationId)
  const rename = 'UPDATE ledger_parties SET organisation_id = ?, key_id = ? WHERE id = ?'
  for (const row of callers)
    yield* run(rename, organisation, row.key_id === null ? null : pseudonym(), integer(row, 'id'))
  yield* signal('callers_renamed')
}

export const pseudonym = (): string => `deleted_${randomBytes(12).toString('hex')}`

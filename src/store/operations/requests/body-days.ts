import { type BodyDays, type BodyDaysOutcome, bodyDays } from '../../body-contract.ts'
import type { Acting } from '../../team-contract.ts'
import { all, first, type Query, run } from '../query.ts'
import { text } from '../row.ts'
import { lacking } from '../teams/memberships.ts'

export function* listStoringOrganisations(): Query<string[]> {
  const rows = yield* all('SELECT id FROM organisations WHERE body_days IS NOT NULL')
  return rows.map((row) => text(row, 'id'))
}

export function* findBodyDays(organisationId: string): Query<BodyDays | null> {
  const row = yield* first('SELECT body_days FROM organisations WHERE id = ?', organisationId)
  return bodyDays.find((days) => days === row?.body_days) ?? null
}

export function* setBodyDays(by: Acting, days: BodyDays | null): Query<BodyDaysOutcome> {
  const tooLow = yield* lacking(by, 'admin')
  if (tooLow !== null) return tooLow
  yield* run('UPDATE organisations SET body_days = ? WHERE id = ?', days, by.organisationId)
  return { outcome: 'changed' }
}

import type { OrganisationRules, RuleOutcome } from '../../sign-in-contract.ts'
import type { Acting } from '../../team-contract.ts'
import { first, type Query, run } from '../query.ts'
import { integer } from '../row.ts'
import { lacking } from '../teams/memberships.ts'

export function* findRules(organisationId: string): Query<OrganisationRules | null> {
  const row = yield* first(
    `SELECT second_factor_required, (
      SELECT count(*) FROM memberships WHERE organisation_id = organisations.id
        AND account_id NOT IN (SELECT account_id FROM totp_factors WHERE confirmed_at IS NOT NULL)
        AND account_id NOT IN (SELECT account_id FROM passkeys)
    ) AS without FROM organisations WHERE id = ?`,
    organisationId,
  )
  if (row === undefined) return null
  return {
    secondFactorRequired: integer(row, 'second_factor_required') === 1,
    membersWithout: integer(row, 'without'),
  }
}

export function* requireSecondFactor(by: Acting, isRequired: boolean): Query<RuleOutcome> {
  const tooLow = yield* lacking(by, 'owner')
  if (tooLow !== null) return tooLow
  yield* run('UPDATE organisations SET second_factor_required = ? WHERE id = ?', isRequired ? 1 : 0, by.organisationId)
  return { outcome: 'changed' }
}

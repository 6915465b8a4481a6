import type { DatabaseSync } from 'node:sqlite'
import type { OrganisationRules, RuleOutcome } from '../../sign-in-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import type { Acting } from '../../team-contract.ts'
import { integer } from '../row.ts'
import { lacking } from '../teams/memberships.ts'

export const findRules = (db: DatabaseSync, organisationId: string): OrganisationRules | null => {
  const row = prepared(
    db,
    `SELECT second_factor_required, (
      SELECT count(*) FROM memberships WHERE organisation_id = organisations.id
        AND account_id NOT IN (SELECT account_id FROM totp_factors WHERE confirmed_at IS NOT NULL)
        AND account_id NOT IN (SELECT account_id FROM passkeys)
    ) AS without FROM organisations WHERE id = ?`,
  ).get(organisationId)
  if (row === undefined) return null
  return {
    secondFactorRequired: integer(row, 'second_factor_required') === 1,
    membersWithout: integer(row, 'without'),
  }
}

export const requireSecondFactor = (db: DatabaseSync, by: Acting, isRequired: boolean): RuleOutcome => {
  const tooLow = lacking(db, by, 'owner')
  if (tooLow !== null) return tooLow
  prepared(db, 'UPDATE organisations SET second_factor_required = ? WHERE id = ?').run(
    isRequired ? 1 : 0,
    by.organisationId,
  )
  return { outcome: 'changed' }
}

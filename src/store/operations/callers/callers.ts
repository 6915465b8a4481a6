import type { ActingMember, KeyValidity, MemberValidity } from '../../caller-contract.ts'
import { suspendedIn, suspensionColumns } from '../keys/keys.ts'
import { all, type Query, type Sql } from '../query.ts'
import { integerOrNull, text } from '../row.ts'

const keys = (ids: string): string =>
  `SELECT id, prefix, last_four, revoked_at, paused_at, previous_until, suspended_at, ${suspensionColumns}
    FROM api_keys WHERE id IN (${ids}) ORDER BY id`
const selectKeys: Sql = {
  sqlite: keys('SELECT value FROM json_each($ids)'),
  postgres: keys('SELECT jsonb_array_elements_text(CAST($ids AS jsonb))'),
}

export function* listKeyValidity(ids: readonly string[]): Query<KeyValidity[]> {
  const rows = yield* all(selectKeys, { ids: JSON.stringify(ids) })
  return rows.map((row) => ({
    id: text(row, 'id'),
    prefix: text(row, 'prefix'),
    lastFour: text(row, 'last_four'),
    revokedAt: integerOrNull(row, 'revoked_at'),
    pausedAt: integerOrNull(row, 'paused_at'),
    previousUntil: integerOrNull(row, 'previous_until'),
    suspended: suspendedIn(row),
  }))
}

const members = (ids: string): string => `SELECT account_id, organisation_id,
    accounts.suspended_at AS account_suspended_at, organisations.suspended_at AS organisation_suspended_at
  FROM memberships JOIN accounts ON accounts.id = account_id JOIN organisations ON organisations.id = organisation_id
  WHERE account_id IN (${ids}) ORDER BY account_id, organisation_id`
const selectMembers: Sql = {
  sqlite: members('SELECT value FROM json_each($ids)'),
  postgres: members('SELECT jsonb_array_elements_text(CAST($ids AS jsonb))'),
}

export function* listMemberValidity(wanted: readonly ActingMember[]): Query<MemberValidity[]> {
  const rows = yield* all(selectMembers, { ids: JSON.stringify(wanted.map(({ accountId }) => accountId)) })
  return rows
    .map((row): MemberValidity => {
      const isAccount = row.account_suspended_at !== null
      const isOrganisation = row.organisation_suspended_at !== null
      return {
        accountId: text(row, 'account_id'),
        organisationId: text(row, 'organisation_id'),
        suspended: isAccount ? 'account' : isOrganisation ? 'organisation' : null,
      }
    })
    .filter((found) =>
      wanted.some((one) => one.accountId === found.accountId && one.organisationId === found.organisationId),
    )
}

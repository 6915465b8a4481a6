import type { Accounts } from '../../accounts/accounts.ts'
import { ApiError } from '../../base/api-error.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import type { BodyRecords } from '../../store/body-contract.ts'
import type { UsageRecords, UsageRow } from '../../store/ledger-contract.ts'
import type { OwnOrganisation } from '../../store/team-contract.ts'
import type { AccountExport } from '../contract/account.ts'
import { keyJson } from '../keys/key-json.ts'
import { ownOrganisationJson } from '../organisation/organisation-json.ts'
import { accountJson, deviceJson } from './account-json.ts'

export type ExportDependencies = {
  accounts: Pick<Accounts, 'profiles' | 'signInMethods' | 'sessions' | 'teams'>
  keys: Pick<KeyRegistry, 'list'>
  usage: Pick<UsageRecords, 'rows'>
  bodies: Pick<BodyRecords, 'days'>
}

/** Everything that the server stores about a person, without secrets. */
export const exportAccount = async (
  accountId: string,
  { accounts, keys, usage, bodies }: ExportDependencies,
): Promise<AccountExport> => {
  const account = await accounts.profiles.find(accountId)
  if (account === null) throw ApiError.of('not_signed_in', {})
  const emails = new Map([[accountId, account.email]])
  const describe = async (organisation: OwnOrganisation) => {
    const { id } = organisation
    const own = (await keys.list({ organisationId: id })).filter(({ createdBy }) => createdBy === accountId)
    const rows = await usage.rows({ organisationId: id, fromDay: 0, toDay: lastDay })
    const usageOf = (keyId: string) => sum(rows.filter((row) => row.keyId === keyId))
    return {
      ...ownOrganisationJson(organisation),
      bodiesKeptDays: await bodies.days(id),
      keys: own.map((key) => ({ ...keyJson(key, emails), usage: usageOf(key.id) })),
      usage: sum(rows),
    }
  }
  return {
    account: accountJson(account),
    signInMethods: await accounts.signInMethods(accountId),
    sessions: (await accounts.sessions.list(accountId)).map(deviceJson),
    organisations: await Promise.all((await accounts.teams.organisations(accountId)).map(describe)),
  }
}

const lastDay = 99_991_231

const sum = (rows: readonly UsageRow[]) => ({
  requests: total(rows, 'requests'),
  promptTokens: total(rows, 'promptTokens'),
  completionTokens: total(rows, 'completionTokens'),
})

const total = (rows: readonly UsageRow[], name: 'requests' | 'promptTokens' | 'completionTokens'): number =>
  rows.reduce((all, row) => all + row[name], 0)

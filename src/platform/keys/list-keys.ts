import type { Accounts } from '../../accounts/accounts.ts'
import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import { recentPeriod, recentUse } from '../../usage/recent-use.ts'
import type { KeyList } from '../contract/keys.ts'
import { findUses, tokensJson } from '../limits/use-json.ts'
import { keyJson } from './key-json.ts'

export type ListKeysDependencies = {
  keys: Pick<KeyRegistry, 'list'>
  accounts: Pick<Accounts, 'teams'>
  limiter: Pick<Limiter, 'usageSnapshots'>
  usage: Pick<UsageRecords, 'rows'>
  clock: Clock
  timeZone: string
}

/** Every key with its permissions and usage, newest first, and the usage of the organisation. */
export const listKeys = async (
  organisationId: string,
  { keys, accounts, limiter, usage, clock, timeZone }: ListKeysDependencies,
): Promise<KeyList> => {
  const today = dayOf(clock.now(), timeZone)
  const [emails, listed, rows, ofOrganisation] = await Promise.all([
    accounts.teams.memberEmails(organisationId),
    keys.list({ organisationId }),
    usage.rows({ organisationId, ...recentPeriod(today) }),
    limiter.usageSnapshots(organisationId, null),
  ])
  const used = recentUse(rows, today, ({ keyId }) => keyId)
  const all = recentUse(rows, today, () => organisationId).get(organisationId)
  const show = async (key: ShownKey) => ({
    ...keyJson(key, emails),
    ...tokensJson(used.get(key.id)),
    uses: isLimited(key) ? findUses(await limiter.usageSnapshots(organisationId, key), 'key') : {},
  })
  return {
    data: await Promise.all(listed.reverse().map(show)),
    organisation: { ...tokensJson(all), uses: findUses(ofOrganisation, 'organisation') },
    timeZone,
  }
}

/** Nobody can reach the limits of a key that no longer works. */
const isLimited = ({ state, limits }: ShownKey): boolean =>
  state === 'active' && Object.values(limits).some((limit) => limit !== null)

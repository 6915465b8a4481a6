import type { Accounts } from '../../accounts/accounts.ts'
import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Member } from '../../http/route.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import type { Limiter } from '../../limits/limiter.ts'
import type { Store } from '../../store/contract.ts'
import { recentPeriod, recentUse } from '../../usage/recent-use.ts'
import { tokensJson, usesOf } from '../limits/use-json.ts'
import { memberKeyJson } from './key-json.ts'

export type ListRooms = {
  keys: KeyRegistry
  accounts: Accounts
  limiter: Pick<Limiter, 'usageSnapshots'>
  store: Pick<Store, 'usage'>
  clock: Clock
  timeZone: string
}

/** `GET /platform/keys`: every key with what it may do and did, newest first, and how the organisation stands. */
export const createListMemberKeys =
  ({ keys, accounts, limiter, store, clock, timeZone }: ListRooms) =>
  async (exchange: Exchange, { organisationId }: Member): Promise<void> => {
    const today = dayOf(clock.now(), timeZone)
    const [emails, listed, rows, ofOrganisation] = await Promise.all([
      accounts.teams.memberEmails(organisationId),
      keys.list({ organisationId }),
      store.usage.rows({ organisationId, ...recentPeriod(today) }),
      limiter.usageSnapshots(organisationId, null),
    ])
    const used = recentUse(rows, today, ({ keyId }) => keyId)
    const all = recentUse(rows, today, () => organisationId).get(organisationId)
    const show = async (key: ShownKey) => ({
      ...memberKeyJson(key, emails),
      ...tokensJson(used.get(key.id)),
      uses: isLimited(key) ? usesOf(await limiter.usageSnapshots(organisationId, key), 'key') : {},
    })
    sendJson(exchange, 200, {
      data: await Promise.all(listed.reverse().map(show)),
      organisation: { ...tokensJson(all), uses: usesOf(ofOrganisation, 'organisation') },
      timeZone,
    })
  }

/** A key that is over has no limits that anybody could reach. */
const isLimited = ({ state, limits }: ShownKey): boolean =>
  state === 'active' && Object.values(limits).some((limit) => limit !== null)

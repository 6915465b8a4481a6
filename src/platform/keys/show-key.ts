import { dayOf } from '../../base/calendar.ts'
import { addDays, dayText } from '../../base/day-text.ts'
import type { ShownKey } from '../../keys/key-registry.ts'
import type { UsageRecords, UsageRow } from '../../store/ledger-contract.ts'
import { recentPeriod, recentUse } from '../../usage/recent-use.ts'
import type { KeyDetails } from '../contract/keys.ts'
import { findUses, tokensJson } from '../limits/use-json.ts'
import { keyJson } from './key-json.ts'
import type { ListKeysDependencies } from './list-keys.ts'

export type ShowKeyDependencies = Omit<ListKeysDependencies, 'keys' | 'usage'> & {
  usage: Pick<UsageRecords, 'rows' | 'hours'>
}

const shownHours = 24
const shownDays = 30
const hourMs = 3_600_000

/** Everything that the page of one key shows, except its requests and its history. */
export const showKey = async (
  key: ShownKey,
  { accounts, limiter, usage, clock, timeZone }: ShowKeyDependencies,
): Promise<KeyDetails> => {
  const { organisationId, id: keyId } = key
  const now = clock.now()
  const today = dayOf(now, timeZone)
  const firstDay = addDays(today, 1 - shownDays)
  const fromDay = Math.min(firstDay, recentPeriod(today).fromDay)
  const since = (Math.floor(now / hourMs) + 1 - shownHours) * hourMs
  const [emails, rows, hours, snapshots] = await Promise.all([
    accounts.teams.memberEmails(organisationId),
    usage.rows({ organisationId, keyId, fromDay, toDay: today }),
    usage.hours({ organisationId, keyId, since }),
    limiter.usageSnapshots(organisationId, key),
  ])
  return {
    ...keyJson(key, emails),
    ...tokensJson(recentUse(rows, today, () => keyId).get(keyId)),
    uses: findUses(snapshots, 'key'),
    organisation: { uses: findUses(snapshots, 'organisation') },
    hours,
    days: usageDays(rows.filter(({ day }) => day >= firstDay)),
    today: dayText(today),
    timeZone,
  }
}

/** The rows are by model and in the order of their days. */
const usageDays = (rows: readonly UsageRow[]): KeyDetails['days'] => {
  const days = new Map<number, { requests: number; promptTokens: number; completionTokens: number }>()
  for (const { day, requests, promptTokens, completionTokens } of rows) {
    const sum = days.get(day) ?? { requests: 0, promptTokens: 0, completionTokens: 0 }
    days.set(day, {
      requests: sum.requests + requests,
      promptTokens: sum.promptTokens + promptTokens,
      completionTokens: sum.completionTokens + completionTokens,
    })
  }
  return [...days].map(([day, sum]) => ({ day: dayText(day), ...sum }))
}

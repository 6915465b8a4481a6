import { usageSchema, usageTotals } from '../api/usage/operations.ts'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { dayText } from '../base/day-text.ts'
import { array, nullable, object, optional } from '../http/schema/containers.ts'
import { oneOf, string } from '../http/schema/scalars.ts'
import { described } from '../http/schema/schema.ts'
import type { Client } from '../operations/client.ts'
import type { Shape } from '../operations/shape.ts'
import type { UsageDifference, UsageRecords } from '../store/ledger-contract.ts'
import { usageGroups } from '../usage/summarise.ts'
import { totalsJson, usageJson } from '../usage/usage-json.ts'
import { readPeriod } from '../usage/usage-period.ts'
import { count, get, socket } from './operation.ts'

export type UsageShown = Shape<typeof usageSchema>

const difference = object({
  day: string(),
  organisation_id: string(),
  key_id: nullable(string()),
  model: string(),
  kept: described('Value in the totals.', nullable(object(usageTotals))),
  counted: described('Value in the ledger.', nullable(object(usageTotals))),
})
const verification = object({
  checked_requests: count,
  from: described('The first day that is complete in the ledger; null if the ledger is empty.', nullable(string())),
  differences: array(difference),
})
export type UsageVerified = Shape<typeof verification>

export const usageOperations = {
  showUsage: get('/usage', socket, 'Shows the usage of all organisations, grouped by day, key or model.', {
    query: object({ from: optional(string()), to: optional(string()), by: optional(oneOf(...usageGroups)) }),
    answer: usageSchema,
  }),
  verifyUsage: get('/usage/verification', socket, 'Recalculates all totals from the ledger.', { answer: verification }),
}

type UsageControlDependencies = { usage: UsageRecords; clock: Clock; timeZone: string; currency: string }

export const createUsageControl = ({
  usage,
  clock,
  timeZone,
  currency,
}: UsageControlDependencies): Client<typeof usageOperations> => ({
  async showUsage({ query: { by = 'day', ...asked } }) {
    const read = readPeriod(asked, clock.now(), timeZone)
    if (read.outcome === 'refused')
      throw ApiError.of('refused_value', { path: read.field, reason: read.reason }, { param: read.field })
    const rows = await usage.rows({ organisationId: null, ...read.period })
    return usageJson(rows, { by, period: read.period, timeZone, currency })
  },
  async verifyUsage() {
    const { checkedRequests, fromDay, differences } = await usage.verify()
    return {
      checked_requests: checkedRequests,
      from: fromDay === null ? null : dayText(fromDay),
      differences: differences.map(differenceJson),
    }
  },
})

const differenceJson = ({ day, organisationId, keyId, model, kept, counted }: UsageDifference) => ({
  day: dayText(day),
  organisation_id: organisationId,
  key_id: keyId,
  model,
  kept: kept === null ? null : totalsJson(kept),
  counted: counted === null ? null : totalsJson(counted),
})

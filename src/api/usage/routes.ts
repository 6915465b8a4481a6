import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import { usageJson } from '../../usage/usage-json.ts'
import { readPeriod } from '../../usage/usage-period.ts'
import { usageOperations } from './operations.ts'

type UsageDependencies = { usage: Pick<UsageRecords, 'rows'>; clock: Clock; timeZone: string; currency: string }

/** What the caller's organisation used, by day, key or model. */
export const createUsageRoutes = ({ usage, clock, timeZone, currency }: UsageDependencies): Route[] => [
  createRoute(usageOperations.getUsage, async ({ caller: { organisationId }, query }) => {
    const { group_by: by = 'day', ...asked } = query
    const read = readPeriod(asked, clock.now(), timeZone)
    if (read.outcome === 'refused')
      throw ApiError.of('refused_value', { path: read.field, reason: read.reason }, { param: read.field })
    const rows = await usage.rows({ organisationId, ...read.period })
    return usageJson(rows, { by, period: read.period, timeZone, currency })
  }),
]

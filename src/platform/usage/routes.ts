import { dayText } from '../../base/day-text.ts'
import { sendCsv } from '../../http/send-csv.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { usageOperations } from '../contract/usage.ts'
import { readUsage, type UsageDependencies } from './read-usage.ts'
import { usageLines } from './usage-csv.ts'
import { usageJson } from './usage-json.ts'

type UsageRoutesDependencies = UsageDependencies & { currency: string }

/** What an organisation used. By day of the server from totals only: as fast with ten million requests as with ten. */
export const createUsageRoutes = (dependencies: UsageRoutesDependencies): Route[] => [
  createRoute(usageOperations.showUsage, async ({ caller: { organisationId }, query }) =>
    usageJson(await readUsage(query, organisationId, dependencies), dependencies),
  ),
  createRoute(usageOperations.exportUsage, async ({ exchange, caller: { organisationId }, query }) => {
    const read = await readUsage(query, organisationId, dependencies)
    const { fromDay, toDay } = read.period
    const grouping = [read.unit, ...(read.by === 'none' ? [] : [read.by])].join('-')
    const name = `helix-usage-by-${grouping}-${dayText(fromDay)}-${dayText(toDay)}.csv`
    await sendCsv(exchange, name, usageLines(read, dependencies.currency))
  }),
]

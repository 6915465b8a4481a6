import { dayText } from '../../base/day-text.ts'
import type { Route } from '../../http/route.ts'
import { sendCsv } from '../../http/send-csv.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import type { UsageGroup } from '../../usage/summarise.ts'
import { usageOperations } from '../contract/usage.ts'
import { createRoute } from '../create-route.ts'
import { readUsage, type UsageDependencies } from './read-usage.ts'
import { usageLines } from './usage-csv.ts'
import { type NamedKeys, usageJson } from './usage-json.ts'

type UsageRoutesDependencies = UsageDependencies & { keys: Pick<KeyRegistry, 'list'>; currency: string }

/** What an organisation used. Read from totals only: as fast with ten million requests as with ten. */
export const createUsageRoutes = (dependencies: UsageRoutesDependencies): Route[] => {
  const { keys } = dependencies
  /** Read only if the usage is grouped by key. */
  const namedKeys = async (organisationId: string, by: UsageGroup): Promise<NamedKeys> =>
    new Map(by === 'key' ? (await keys.list({ organisationId })).map((key) => [key.id, key]) : [])
  return [
    createRoute(usageOperations.showUsage, async ({ caller: { organisationId }, query }) => {
      const read = await readUsage(query, organisationId, dependencies)
      return usageJson(read, await namedKeys(organisationId, read.by), dependencies)
    }),
    createRoute(usageOperations.exportUsage, async ({ exchange, caller: { organisationId }, query }) => {
      const read = await readUsage(query, organisationId, dependencies)
      const { fromDay, toDay } = read.period
      const name = `helix-usage-by-${read.by}-${dayText(fromDay)}-${dayText(toDay)}.csv`
      await sendCsv(exchange, name, usageLines(read, await namedKeys(organisationId, read.by), dependencies.currency))
    }),
  ]
}

import { abilities } from '../../accounts/teams/roles.ts'
import { dayText } from '../../base/day-text.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Member, Route } from '../../http/route.ts'
import { sendCsv } from '../../http/send-csv.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import type { UsageGroup } from '../../usage/summarise.ts'
import { needs } from '../needs.ts'
import { readUsage, type UsageRooms } from './read-usage.ts'
import { usageLines } from './usage-csv.ts'
import { type NamedKeys, usageJson } from './usage-json.ts'

type Rooms = UsageRooms & { keys: Pick<KeyRegistry, 'list'> }
type Handle = (exchange: Exchange, member: Member) => Promise<void>

/** What an organisation used, from the kept totals alone: as quick with ten million requests as with ten. */
export const createUsageRoutes = (rooms: Rooms): Route[] => [
  { method: 'GET', path: '/platform/usage', ...needs(abilities.see), handle: createShowUsage(rooms) },
  { method: 'GET', path: '/platform/usage.csv', ...needs(abilities.see), handle: createExportUsage(rooms) },
]

const createShowUsage =
  (rooms: Rooms): Handle =>
  async (exchange, { organisationId }) => {
    const read = await readUsage(exchange, organisationId, rooms)
    sendJson(exchange, 200, usageJson(read, await namedKeys(rooms, organisationId, read.by), rooms.timeZone))
  }

const createExportUsage =
  (rooms: Rooms): Handle =>
  async (exchange, { organisationId }) => {
    const read = await readUsage(exchange, organisationId, rooms)
    const { fromDay, toDay } = read.period
    const name = `helix-usage-by-${read.by}-${dayText(fromDay)}-${dayText(toDay)}.csv`
    await sendCsv(exchange, name, usageLines(read, await namedKeys(rooms, organisationId, read.by)))
  }

/** Only where they are shown. */
const namedKeys = async ({ keys }: Rooms, organisationId: string, by: UsageGroup): Promise<NamedKeys> =>
  new Map(by === 'key' ? (await keys.list({ organisationId })).map((key) => [key.id, key]) : [])

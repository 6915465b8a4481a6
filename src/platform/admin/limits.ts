import { auditActorOf } from '../../accounts/actor.ts'
import { dayOf } from '../../base/calendar.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readJson } from '../../http/read-json.ts'
import { sendJson } from '../../http/respond.ts'
import type { Person } from '../../http/route.ts'
import { defaultLimits, type LimitSettings } from '../../limits/limit-settings.ts'
import type { Store } from '../../store/contract.ts'
import { recentPeriod, recentUse } from '../../usage/recent-use.ts'
import { actorOf } from '../actor-of.ts'
import { bodyLimitBytes } from '../body-limit.ts'
import { limitChangesBody } from '../keys/key-body.ts'
import { changeOrganisationLimits, type OrganisationRooms } from '../limits/organisation-limits.ts'
import { tokensJson, usesOf } from '../limits/use-json.ts'

export type AdminLimitRooms = OrganisationRooms & LimitSettings & { store: Pick<Store, 'organisations' | 'usage'> }

/**
 * `GET /platform/admin/limits`: what every organisation may use and used, in the order in which they were made. `limits` is
 * what the owner gave it: null for its default, 0 for none.
 */
export const createListLimits =
  (rooms: AdminLimitRooms) =>
  async (exchange: Exchange): Promise<void> => {
    const { store, limiter, clock, timeZone } = rooms
    const today = dayOf(clock.now(), timeZone)
    const [organisations, rows] = await Promise.all([
      store.organisations.list(),
      store.usage.rows({ organisationId: null, ...recentPeriod(today) }),
    ])
    const used = recentUse(rows, today, ({ organisationId }) => organisationId)
    const data = organisations.map(async ({ id, name, createdAt, limits, isServerOrganisation }) => {
      const uses = usesOf(await limiter.usageSnapshots(id, null), 'organisation')
      const defaults = defaultLimits(isServerOrganisation, rooms)
      return { id, name, createdAt, limits, defaults, uses, ...tokensJson(used.get(id)) }
    })
    sendJson(exchange, 200, { data: await Promise.all(data), timeZone })
  }

/** `POST /platform/admin/organisations/{organisation}/limits` */
export const createSetLimits =
  (rooms: AdminLimitRooms) =>
  async (exchange: Exchange, person: Person): Promise<void> => {
    const { organisation = '' } = exchange.params
    const { was, ...changes } = await readJson(exchange, bodyLimitBytes, limitChangesBody)
    const actor = auditActorOf(actorOf(exchange, person))
    const changed = await changeOrganisationLimits(rooms, organisation, changes, actor, was)
    const { id, name, createdAt, limits } = changed
    const uses = usesOf(await rooms.limiter.usageSnapshots(id, null), 'organisation')
    sendJson(exchange, 200, { id, name, createdAt, limits, uses })
  }

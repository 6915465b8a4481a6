import { toAuditActor } from '../../accounts/actor.ts'
import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import type { KeyRegistry } from '../../keys/key-registry.ts'
import { defaultLimits, type LimitSettings } from '../../limits/limit-settings.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { Store } from '../../store/contract.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import { recentPeriod, recentUse } from '../../usage/recent-use.ts'
import { type AdminLimits, limitOperations } from '../contract/limits.ts'
import { createActor } from '../create-actor.ts'
import { changeOrganisationLimits } from './organisation-limits.ts'
import { showLimits } from './show-limits.ts'
import { findUses, tokensJson } from './use-json.ts'

type LimitRoutesDependencies = {
  organisations: Store['organisations']
  usage: Pick<UsageRecords, 'rows'>
  limiter: Limiter
  keys: Pick<KeyRegistry, 'list'>
  clock: Clock
  settings: LimitSettings
}

export const createLimitRoutes = (dependencies: LimitRoutesDependencies): Route[] => {
  const usesOfOrganisation = async (id: string) =>
    findUses(await dependencies.limiter.usageSnapshots(id, null), 'organisation')
  return [
    createRoute(limitOperations.showLimits, ({ caller }) => showLimits(caller, dependencies)),
    createRoute(limitOperations.listOrganisationLimits, () => listLimits(dependencies, usesOfOrganisation)),
    createRoute(limitOperations.setOrganisationLimits, async ({ exchange, caller, params, body }) => {
      const { was, ...changes } = body
      const actor = toAuditActor(createActor(exchange, caller))
      const changed = await changeOrganisationLimits(dependencies, params.organisation, changes, actor, was)
      const { id, name, createdAt, limits } = changed
      return { id, name, createdAt, limits, uses: await usesOfOrganisation(id) }
    }),
  ]
}

/** In the order in which the organisations were created. */
const listLimits = async (
  { organisations, usage, clock, settings }: LimitRoutesDependencies,
  usesOfOrganisation: (id: string) => Promise<ReturnType<typeof findUses>>,
): Promise<AdminLimits> => {
  const today = dayOf(clock.now(), settings.timeZone)
  const [listed, rows] = await Promise.all([
    organisations.list(),
    usage.rows({ organisationId: null, ...recentPeriod(today) }),
  ])
  const used = recentUse(rows, today, ({ organisationId }) => organisationId)
  const data = listed.map(async ({ id, name, createdAt, limits, isServerOrganisation }) => ({
    ...{ id, name, createdAt, limits },
    defaults: defaultLimits(isServerOrganisation, settings),
    uses: await usesOfOrganisation(id),
    ...tokensJson(used.get(id)),
  }))
  return { data: await Promise.all(data), timeZone: settings.timeZone }
}

import type { Clock } from '../base/clock.ts'
import { createLookupCache } from '../base/lookup-cache.ts'
import type { Store } from '../store/contract.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { isStoreAway } from '../store/store-failure.ts'
import { type LimitSettings, organisationLimits, serverLimits } from './limit-settings.ts'
import type { LimitedEntity } from './limited-entity.ts'
import type { Caller } from './limiter-contract.ts'
import { listSetLimits } from './set-limits.ts'
import type { UsageCounters } from './usage-counters.ts'

type Dependencies = {
  store: { organisations: Pick<Store['organisations'], 'limits'> }
  clock: Clock
  settings: LimitSettings
}

/** No key or organisation has this id. */
export const serverId = 'server'

/** The limits that apply to a caller; those of organisations are read from the store about once a second. */
export const createEntityLimits = ({ store, clock, settings }: Dependencies) => {
  let ofServer = serverLimits(settings)
  const ofOrganisations = createLookupCache({
    load: async (id) => organisationLimits(await store.organisations.limits(id), settings),
    clock,
    freshMs: 1_000,
    maxEntries: 10_000,
    stale: { maxMs: settings.storeOutageMinutes * 60_000, isAway: isStoreAway },
  })
  return {
    ofOrganisation: (id: string): Limits | Promise<Limits> => ofOrganisations.get(id),
    /** The narrowest scope first. */
    entities(
      { organisationId, key }: Caller,
      limits: Limits,
      countersOf: (id: string) => UsageCounters,
    ): LimitedEntity[] {
      const createEntity = (scope: LimitedEntity['scope'], id: string, own: Limits): LimitedEntity => ({
        scope,
        id,
        limits: listSetLimits(own),
        counters: countersOf(id),
      })
      const ofOrganisation = createEntity('organisation', organisationId, limits)
      const ofAll = createEntity('server', serverId, ofServer)
      return key === null ? [ofOrganisation, ofAll] : [createEntity('key', key.id, key.limits), ofOrganisation, ofAll]
    },
    /** The settings have changed. */
    refresh(): void {
      ofServer = serverLimits(settings)
      ofOrganisations.forget(() => true)
    },
    /** The next request reads the limits of this organisation again. */
    forget: (organisationId: string): void => ofOrganisations.forget((_limits, id) => id === organisationId),
  }
}

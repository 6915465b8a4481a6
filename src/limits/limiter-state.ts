import { dayOf } from '../base/calendar.ts'
import type { Clock } from '../base/clock.ts'
import type { Price } from '../prices/price.ts'
import type { Store } from '../store/contract.ts'
import type { LedgerRecords } from '../store/ledger-contract.ts'
import { createCountersById } from './counters-by-id.ts'
import { createEntityLimits, serverId } from './entity-limits.ts'
import type { LimitSettings } from './limit-settings.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { Caller } from './limiter-contract.ts'
import { loadSums } from './load-sums.ts'
import { createPendingWrites } from './pending-writes.ts'
import { refillWindows } from './refill-windows.ts'
import type { SettledSums } from './settled-sum.ts'

export type LimiterStateDependencies = {
  store: {
    organisations: Pick<Store['organisations'], 'limits'>
    usage: SettledSums
    ledger: Pick<LedgerRecords, 'since'>
  }
  clock: Clock
  settings: LimitSettings
  /** The current price of a model. Null: it has none. */
  findPrice(model: string): Price | null
}

export type LimiterState = Awaited<ReturnType<typeof createLimiterState>>

/**
 * The limits and counters of keys, organisations and the server, in memory. What a decision needs from the store is
 * loaded beforehand; deciding and changing the counters is synchronous.
 */
export const createLimiterState = async ({ store, clock, settings, findPrice }: LimiterStateDependencies) => {
  const { timeZone, currency } = settings
  const countersById = createCountersById()
  const pendingWrites = createPendingWrites()
  const entityLimits = createEntityLimits({ store, clock, settings })

  const moment = (): Moment => {
    const now = clock.now()
    return { nowMs: exactMs(clock.monotonicMs()), now, day: dayOf(now, timeZone), timeZone }
  }

  const { nowMs, now } = moment()
  refillWindows(await store.ledger.since(now - 60_000), { nowMs, now }, ({ organisationId, keyId }) =>
    [keyId, organisationId, serverId].filter((id) => id !== null).map(countersById.of),
  )

  return {
    moment,
    countersOf: countersById.of,
    pendingWrites,
    currency,
    findPrice,
    forget: entityLimits.forget,
    refresh: entityLimits.refresh,
    /**
     * Calls `act` with the entities whose limits apply, the narrowest first, once all that it needs is loaded. Nothing is
     * awaited between that check and the end of `act`, so no other request can come in between.
     */
    async withEntities<Result>(
      caller: Caller,
      act: (entities: readonly LimitedEntity[], at: Moment) => Result,
    ): Promise<Result> {
      const limits = await entityLimits.ofOrganisation(caller.organisationId)
      for (;;) {
        const at = moment()
        countersById.sweep(at.nowMs)
        const entities = entityLimits.entities(caller, limits, countersById.of)
        const loads = loadSums(entities, caller.organisationId, at, { usage: store.usage, pendingWrites })
        if (loads.length === 0) return act(entities, at)
        await Promise.all(loads)
      }
    },
  }
}

/** A multiple of 1/1024 ms: sums and differences of these have no rounding errors, which would show in waits. */
export const exactMs = (ms: number): number => Math.floor(ms * 1024) / 1024

import { ApiError } from '../base/api-error.ts'
import { dayOf } from '../base/calendar.ts'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/contract.ts'
import type { LedgerRecords, UsageRecords } from '../store/ledger-contract.ts'
import { createCountersById } from './counters-by-id.ts'
import { decide, decideWithoutBody, narrowestTokenLimit, remainingTokens } from './decide.ts'
import { createKnownOrganisations } from './known-organisations.ts'
import { keyLimits, type LimitSettings, serverLimits } from './limit-settings.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { Ask, Caller, Limiter, PendingRequest, Precheck, TokenReservation } from './limiter.ts'
import { loadSums } from './load-sums.ts'
import { createPendingRequest } from './pending-request.ts'
import { holdPendingWrite, type PendingWrites } from './pending-writes.ts'
import { appliedLimits, rateLimitHeaders } from './rate-limit-headers.ts'
import { refillWindows } from './refill-windows.ts'
import { refusalOf } from './refusal.ts'
import { addToWindow } from './sliding-window.ts'
import { type RefusedSettings, tooManyRefused } from './too-many-refused.ts'
import { beginRequest, endRequest } from './usage-counters.ts'
import { usageSnapshotOf } from './usage-snapshot.ts'

export type LimiterOptions = LimitSettings &
  RefusedSettings & {
    store: {
      organisations: Pick<Store['organisations'], 'limits'>
      usage: Pick<UsageRecords, 'tokens'>
      ledger: Pick<LedgerRecords, 'since'>
    }
    clock: Clock
  }

/** For a server that has closed in the ledger what an earlier one left open, and has not let in anything yet. */
export const createLimiter = async ({ store, clock, ...settings }: LimiterOptions): Promise<Limiter> => {
  const countersById = createCountersById()
  const pendingWrites: PendingWrites = new Set()
  const organisations = createKnownOrganisations({ organisations: store.organisations, settings, clock })
  const limitsOfServer = serverLimits(settings)

  const moment = (): Moment => {
    const now = clock.now()
    return { nowMs: exactMs(clock.monotonicMs()), now, day: dayOf(now, settings.timeZone), timeZone: settings.timeZone }
  }

  /**
   * Calls `act` with everybody who has a say, the narrowest first, once all that it needs is there. From looking whether it
   * is to the end of `act` nothing is waited for, so that no other request can come in between.
   */
  const withEntities = async <Result>(
    organisationId: string,
    key: Ask['key'],
    act: (entities: readonly LimitedEntity[], at: Moment) => Result,
  ): Promise<Result> => {
    const limits = await organisations.limitsOf(organisationId)
    for (;;) {
      const at = moment()
      countersById.sweep(at.nowMs)
      const entities: LimitedEntity[] = [
        { scope: 'organisation', id: organisationId, limits, counters: countersById.of(organisationId) },
        { scope: 'server', id: serverId, limits: limitsOfServer, counters: countersById.of(serverId) },
      ]
      if (key !== null)
        entities.unshift({ scope: 'key', id: key.id, limits: keyLimits(key.limits), counters: countersById.of(key.id) })
      const loads = loadSums(entities, organisationId, at, { usage: store.usage, pendingWrites })
      if (loads.length === 0) return act(entities, at)
      await Promise.all(loads)
    }
  }

  const reserve = (asked: Ask, entities: readonly LimitedEntity[], at: Moment): TokenReservation => {
    const ask = { ...asked, completionTokens: fittingTokens(asked, entities) }
    let reservedTokens = ask.promptTokens + ask.completionTokens
    const exceeded = decide(entities, reservedTokens, at)
    if (exceeded !== null) throw refusalOf(exceeded, ask, at, rateLimitHeaders(entities, at))
    for (const { counters } of entities) beginRequest(counters, at.nowMs, reservedTokens)
    let isRunning = true
    return {
      get reservedTokens() {
        return reservedTokens
      },
      // With the limits of this moment, which may have been changed since it was admitted.
      extend: (tokens) =>
        withEntities(ask.organisationId, ask.key, (current, at) => {
          const added = isRunning ? Math.max(0, Math.min(tokens, remainingTokens(current, at))) : 0
          for (const { counters } of entities) counters.reserved += added
          reservedTokens += added
          return added
        }),
      applied: appliedLimits(entities, at),
      headers: (usedTokens) =>
        rateLimitHeaders(
          entities,
          moment(),
          isRunning && usedTokens !== undefined ? { reservedTokens, usedTokens } : null,
        ),
      settle(usedTokens, written) {
        if (!isRunning) return
        isRunning = false
        const { nowMs, day } = moment()
        for (const { counters } of entities) endRequest(counters, { nowMs, day, reservedTokens, usedTokens })
        holdPendingWrite(pendingWrites, { ids: entities.map(({ id }) => id), day, tokens: usedTokens }, written)
      },
    }
  }

  const pendingOf = (caller: Caller, held: readonly LimitedEntity[]): PendingRequest =>
    createPendingRequest({
      counterSets: held.map(({ counters }) => counters),
      admit: (ask, release) =>
        withEntities(caller.organisationId, caller.key, (entities, at) => {
          release()
          return reserve({ ...caller, ...ask }, entities, at)
        }),
      headers: () => rateLimitHeaders(held, moment()),
      countRefused: () => countRefused(caller),
    })

  const countRefused = ({ organisationId, key }: Caller): void => {
    const { nowMs } = moment()
    for (const id of key === null ? [organisationId] : [organisationId, key.id])
      addToWindow(countersById.of(id).refused, nowMs, 1)
  }

  /** Requests that repeat an earlier one hold nothing: its own place among those in flight may be what is in their way. */
  const precheck = async (caller: Caller, { model, isReplay }: Precheck): Promise<PendingRequest> => {
    const decided = await withEntities(caller.organisationId, caller.key, (entities, at) => {
      const flood = tooManyRefused(entities, at, settings)
      if (flood !== null) throw flood
      const exceeded = decideWithoutBody(entities, at)
      if (exceeded === null) return pendingOf(caller, entities)
      return refusalOf(exceeded, { ...caller, model, ...leastAsked }, at, rateLimitHeaders(entities, at))
    })
    if (!(decided instanceof ApiError)) return decided
    if (isReplay === null) throw decided
    if (await isReplay()) return pendingOf(caller, [])
    // Looking for the earlier request was work, unlike the refusals above.
    countRefused(caller)
    throw decided
  }

  const { nowMs, now } = moment()
  refillWindows(await store.ledger.since(now - 60_000), { nowMs, now }, ({ organisationId, keyId }) =>
    [keyId, organisationId, serverId].filter((id) => id !== null).map(countersById.of),
  )

  return {
    precheck,
    admit: (ask) => withEntities(ask.organisationId, ask.key, (entities, at) => reserve(ask, entities, at)),
    usageSnapshots: (organisationId, key) =>
      withEntities(organisationId, key, (entities, at) => entities.map((entity) => usageSnapshotOf(entity, at))),
    forget: organisations.forget,
  }
}

/** What is reserved for the answer: as much as was asked for, or as the narrowest limit would ever allow. */
const fittingTokens = (
  { promptTokens, completionTokens, leastCompletionTokens = completionTokens }: Ask,
  entities: readonly LimitedEntity[],
): number => Math.min(completionTokens, Math.max(leastCompletionTokens, narrowestTokenLimit(entities) - promptTokens))

/** What a request asks for at least: its body is not read yet. */
const leastAsked = { promptTokens: 1, completionTokens: 0 }

/** No id of a key or an organisation looks like this. */
const serverId = 'server'

/** Full parts of 1/1024 ms: sums and differences of such numbers have no rounding errors, which would show in waits. */
const exactMs = (ms: number): number => Math.floor(ms * 1024) / 1024

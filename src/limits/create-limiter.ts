import { dayOf } from '../base/calendar.ts'
import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/contract.ts'
import type { LedgerRecords, UsageRecords } from '../store/ledger-contract.ts'
import { decide } from './decide.ts'
import { createKnownOrganisations } from './known-organisations.ts'
import { keyLimits, type LimitSettings, serverLimits } from './limit-settings.ts'
import type { Ask, Limiter, Place } from './limiter.ts'
import { loadSums } from './load-sums.ts'
import type { Moment, Party } from './party.ts'
import { appliedLimits, rateLimitHeaders } from './rate-limit-headers.ts'
import { refillWindows } from './refill-windows.ts'
import { refusalOf } from './refusal.ts'
import { standingOf } from './standing.ts'
import { beginRequest, endRequest } from './subject.ts'
import { createSubjects } from './subjects.ts'
import { holdUnwritten, type Unwritten } from './unwritten.ts'

export type LimiterOptions = LimitSettings & {
  store: {
    organisations: Pick<Store['organisations'], 'limits'>
    usage: Pick<UsageRecords, 'tokens'>
    ledger: Pick<LedgerRecords, 'since'>
  }
  clock: Clock
}

/** For a server that has closed in the ledger what an earlier one left open, and has not let in anything yet. */
export const createLimiter = async ({ store, clock, ...settings }: LimiterOptions): Promise<Limiter> => {
  const subjects = createSubjects()
  const unwritten: Unwritten = new Set()
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
  const withParties = async <Result>(
    organisationId: string,
    key: Ask['key'],
    act: (parties: readonly Party[], at: Moment) => Result,
  ): Promise<Result> => {
    const limits = await organisations.limitsOf(organisationId)
    for (;;) {
      const at = moment()
      subjects.sweep(at.nowMs)
      const parties: Party[] = [
        { scope: 'organisation', id: organisationId, limits, subject: subjects.of(organisationId) },
        { scope: 'server', id: serverId, limits: limitsOfServer, subject: subjects.of(serverId) },
      ]
      if (key !== null)
        parties.unshift({ scope: 'key', id: key.id, limits: keyLimits(key.limits), subject: subjects.of(key.id) })
      const loads = loadSums(parties, organisationId, at, { usage: store.usage, unwritten })
      if (loads.length === 0) return act(parties, at)
      await Promise.all(loads)
    }
  }

  const take = (ask: Ask, parties: readonly Party[], at: Moment): Place => {
    const reservedTokens = ask.promptTokens + ask.completionTokens
    const obstacle = decide(parties, reservedTokens, at)
    if (obstacle !== null) throw refusalOf(obstacle, ask, at, rateLimitHeaders(parties, at))
    for (const { subject } of parties) beginRequest(subject, at.nowMs, reservedTokens)
    let isRunning = true
    return {
      applied: appliedLimits(parties, at),
      headers: (usedTokens) =>
        rateLimitHeaders(
          parties,
          moment(),
          isRunning && usedTokens !== undefined ? { reservedTokens, usedTokens } : null,
        ),
      settle(usedTokens, written) {
        if (!isRunning) return
        isRunning = false
        const { nowMs, day } = moment()
        for (const { subject } of parties) endRequest(subject, { nowMs, day, reservedTokens, usedTokens })
        holdUnwritten(unwritten, { ids: parties.map(({ id }) => id), day, tokens: usedTokens }, written)
      },
    }
  }

  const { nowMs, now } = moment()
  refillWindows(await store.ledger.since(now - 60_000), { nowMs, now }, ({ organisationId, keyId }) =>
    [keyId, organisationId, serverId].filter((id) => id !== null).map(subjects.of),
  )

  return {
    admit: (ask) => withParties(ask.organisationId, ask.key, (parties, at) => take(ask, parties, at)),
    standing: (organisationId, key) =>
      withParties(organisationId, key, (parties, at) => parties.map((party) => standingOf(party, at))),
    forget: organisations.forget,
  }
}

/** No id of a key or an organisation looks like this. */
const serverId = 'server'

/** Full parts of 1/1024 ms: sums and differences of such numbers have no rounding errors, which would show in waits. */
const exactMs = (ms: number): number => Math.floor(ms * 1024) / 1024

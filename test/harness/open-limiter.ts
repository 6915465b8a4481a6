import { ApiError } from '../../src/base/api-error.ts'
import { dayOf } from '../../src/base/calendar.ts'
import { newRequestId } from '../../src/base/ids.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Config } from '../../src/config/settings.ts'
import { createLimiter } from '../../src/limits/create-limiter.ts'
import type { Limiter, TokenRequest, TokenReservation } from '../../src/limits/limiter-contract.ts'
import { computeCostMicros } from '../../src/prices/compute-cost.ts'
import { isFree } from '../../src/prices/is-free.ts'
import type { Price } from '../../src/prices/price.ts'
import type { LedgerRow, Limits } from '../../src/store/ledger-contract.ts'
import { noLimits } from '../../src/store/limit-names.ts'
import { createManualClock } from './manual-clock.ts'

export { noLimits }

type Whose = { organisationId: string | null; keyId: string | null; fromDay: number; toDay: number }
export type Caller = { organisationId: string; key: { id: string; limits: Limits } | null }

/** One key of one organisation, with its own limits. */
export const callerWith = (limits: Partial<Limits> = {}): Caller => ({
  organisationId: 'org_1',
  key: { id: 'key_1', limits: { ...noLimits, ...limits } },
})

type Dependencies = Parameters<typeof createLimiter>[0] & { settings: Config }
/** Opens one; a later call is a restart. */
export type OpenOne = (dependencies: Dependencies) => Promise<Limiter>

/** A limiter over an in-memory ledger, for tests that check every step. No limits by default. */
export const openLimiter = async (
  settings: Partial<Config> = {},
  clock = createManualClock(),
  openOne: OpenOne = createLimiter,
) => {
  const defaults = loadConfig({ flags: {}, environment: {}, configFile: null })
  const unlimited = {
    organisationRequestsPerMinute: 0,
    organisationTokensPerMinute: 0,
    organisationRequestsInFlight: 0,
  }
  const config = { ...defaults, ...unlimited, ...settings }
  const rows: LedgerRow[] = []
  const given = new Map<string, Limits>()
  let questions = 0
  let arrive = async (): Promise<void> => {}
  /** Captures the store's answer now and returns it when it arrives. */
  const answer = async <Value>(value: Value): Promise<Value> => {
    questions += 1
    await arrive()
    return value
  }
  const sumOf = (whose: Whose, read: (settlement: NonNullable<LedgerRow['settlement']>) => number): number =>
    rows
      .filter((row) => whose.organisationId === null || row.organisationId === whose.organisationId)
      .filter((row) => whose.keyId === null || row.keyId === whose.keyId)
      .reduce((sum, { settlement }) => {
        if (settlement === null || settlement.day < whose.fromDay || settlement.day > whose.toDay) return sum
        return sum + read(settlement)
      }, 0)
  const store = {
    organisations: {
      limits: (id: string) => answer({ limits: given.get(id) ?? noLimits, isServerOrganisation: false }),
    },
    usage: {
      tokens: (whose: Whose) =>
        answer(sumOf(whose, ({ promptTokens, completionTokens }) => promptTokens + completionTokens)),
      requests: (whose: Whose) => answer(sumOf(whose, () => 1)),
      costMicros: (whose: Whose) => answer(sumOf(whose, ({ costMicros }) => costMicros ?? 0)),
    },
    ledger: {
      since: async (time: number) =>
        rows.filter(({ createdAt, settlement }) => createdAt >= time || (settlement?.endedAt ?? 0) >= time),
    },
  }
  let price: Price | null = null
  const open = () =>
    openOne({ store, clock, settings: config, findPrice: () => price, hasFreeModel: () => isFree(price) })
  let limiter = await open()

  const ask = (caller: Caller, tokens: number, least: number): TokenRequest => ({
    ...{ organisationId: caller.organisationId, key: caller.key, model: 'helix-v1' },
    ...{ promptTokens: 1, completionTokens: tokens - 1, leastCompletionTokens: least - 1 },
  })

  /** `least`: the number of tokens that suffices if a limit is narrower. */
  const begin = async (caller: Caller, tokens: number, least = tokens) =>
    record(caller, await limiter.admit(ask(caller, tokens, least)))

  const record = (caller: Caller, reservation: TokenReservation) => {
    const row: LedgerRow = {
      requestId: newRequestId(clock.now()),
      organisationId: caller.organisationId,
      keyId: caller.key?.id ?? null,
      model: 'helix-v1',
      endpoint: 'chat.completions',
      stream: false,
      reservedTokens: reservation.reservedTokens,
      price: reservation.price,
      reservedMicros: reservation.reservedMicros,
      limits: reservation.applied,
      createdAt: clock.now(),
      settlement: null,
    }
    rows.push(row)
    return {
      tokens: reservation.reservedTokens,
      reservedMicros: reservation.reservedMicros,
      extend: reservation.extend,
      /** It could not be written to the ledger. */
      cancel() {
        rows.splice(rows.indexOf(row), 1)
        reservation.cancel()
      },
      headers: reservation.headers,
      applied: reservation.applied,
      /** Ends the request. The ledger records it at once, or when `written` resolves. */
      end(usedTokens: number, written?: Promise<void>) {
        const endedAt = clock.now()
        const used = { promptTokens: usedTokens, cachedTokens: 0, completionTokens: 0 }
        const costMicros = reservation.price === null ? null : computeCostMicros(used, reservation.price)
        const settlement: LedgerRow['settlement'] = {
          ...{ outcome: 'completed', finishReason: 'stop', error: null, endedAt, day: dayOf(endedAt, config.timeZone) },
          ...{ ...used, reasoningTokens: 0, costMicros },
          ...{ queueMs: null, firstTokenMs: null, durationMs: 0 },
        }
        const write = (): void => {
          row.settlement ??= settlement
        }
        if (written === undefined) write()
        reservation.settle(used, written?.then(write) ?? Promise.resolve())
      },
    }
  }

  return {
    clock,
    rows,
    begin,
    /** Checks a request before its body. The request begins when it is admitted. */
    async precheck(caller: Caller, isReplay: (() => Promise<boolean>) | null = null, isOnlyCheck = false) {
      const pending = await limiter.precheck(caller, { model: 'helix-v1', isReplay, isOnlyCheck })
      return {
        ...pending,
        admit: async (tokens: number, least = tokens) =>
          record(caller, await pending.admit(ask(caller, tokens, least))),
      }
    },
    /** Checks and admits a request in one step, where the limiter can. */
    async checkAndAdmit(caller: Caller, tokens: number) {
      if (limiter.checkAndAdmit !== undefined)
        return record(caller, await limiter.checkAndAdmit(ask(caller, tokens, tokens)))
      const pending = await limiter.precheck(caller, { model: 'helix-v1', isReplay: null })
      try {
        return record(caller, await pending.admit(ask(caller, tokens, tokens)))
      } finally {
        pending.release()
      }
    },
    /** The refusal; null if it was admitted, in which case it has ended at once without usage. */
    async refusal(caller: Caller, tokens: number): Promise<ApiError | null> {
      try {
        const running = await begin(caller, tokens)
        running.end(0)
        return null
      } catch (error) {
        if (error instanceof ApiError) return error
        throw error
      }
    },
    usageSnapshots: (caller: Caller) => limiter.usageSnapshots(caller.organisationId, caller.key),
    /** Sets an organisation's limits as another server does; this one learns of it only through `forget`. */
    give(organisationId: string, limits: Partial<Limits>) {
      given.set(organisationId, { ...noLimits, ...limits })
    },
    forget: (organisationId: string) => limiter.forget(organisationId),
    /** Requests that are admitted from now on have this price. */
    setPrice(changed: Price | null) {
      price = changed
    },
    questions: () => questions,
    /** Runs before each answer of the store arrives, from now on. */
    onArrival(then: () => Promise<void>) {
      arrive = then
    },
    async restart() {
      limiter = await open()
    },
  }
}

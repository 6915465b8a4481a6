import { computeCostMicros } from '../prices/compute-cost.ts'
import { microsPerUnit } from '../prices/price.ts'
import type { Endpoint, RequestCounts, ReservationRecord } from '../store/ledger-contract.ts'
import type { Ending, Entry, Ledger } from '../usage/ledger-contract.ts'
import { noCounts } from '../usage/ledger-entry.ts'
import { operationNames } from '../usage/operation-names.ts'
import type { RefusalLog } from '../usage/refusal-log.ts'
import { measureTimedMs } from '../usage/timed-tokens.ts'
import type { Count } from './counter.ts'
import type { Family } from './family.ts'
import type { Distribution } from './histogram.ts'
import { createRequestFamilies, type RequestFamilies } from './request-families.ts'

type Called = { readonly endpoint: Endpoint; readonly model: string }

/** The series of one endpoint and model. Looked up once for each request. */
type RequestSeries = {
  outcomes: Record<Ending['outcome'], Count>
  promptTokens: Count
  cachedTokens: Count
  completionTokens: Count
  reasoningTokens: Count
  cost: Count
  duration: Distribution
  firstToken: Distribution
  perToken: Distribution
  queue: Distribution
  pauses: Count
  pausedSeconds: Count
  upstreamRetries: Count
  continued: Count
}

type OrganisationSeries = { requests: Count; tokens: Count; cost: Count }

export interface RequestMetrics {
  readonly families: readonly Family[]
  /** The same ledger, which counts what it records. */
  measureLedger(ledger: Ledger): Ledger
  /** An answer was sent again. */
  onReplayed(kind: 'replay' | 'resume'): void
  /** An answer was looked for in the cache. */
  onCacheLookup(result: 'hit' | 'miss'): void
  /** The same log, which counts what it records. */
  measureRefusals(refusals: RefusalLog): RefusalLog
}

/** Counts requests where they are settled: the figures are those of the ledger. `organisations`: those to count one by one. */
export const createRequestMetrics = (organisations: readonly string[]): RequestMetrics => {
  const families = createRequestFamilies()
  const perOrganisation = new Set<Family>([
    ...[families.organisationRequests, families.organisationTokens, families.organisationCost],
  ])
  const opened = new Map<string, RequestSeries>()
  const findSeries = (request: Called): RequestSeries => {
    const name = `${request.endpoint} ${request.model}`
    let series = opened.get(name)
    if (series === undefined) {
      series = openSeries(families, request)
      opened.set(name, series)
    }
    return series
  }
  const admitted = new Map<Endpoint, Count>()
  const countAdmitted = (endpoint: Endpoint): void => {
    const count = admitted.get(endpoint) ?? families.admitted.of(endpoint)
    admitted.set(endpoint, count)
    count.add()
  }
  const listed = new Map<string, OrganisationSeries>(
    organisations.map((id) => [
      id,
      {
        requests: families.organisationRequests.of(id),
        tokens: families.organisationTokens.of(id),
        cost: families.organisationCost.of(id),
      },
    ]),
  )

  const settled = (reservation: ReservationRecord, counts: RequestCounts, ending: Ending): void => {
    const series = findSeries(reservation)
    const { price, organisationId, endpoint } = reservation
    const costUnits = price === null ? 0 : computeCostMicros(counts, price) / microsPerUnit
    series.outcomes[ending.outcome].add()
    if (ending.error !== null) families.errors.of(endpoint, ending.error).add()
    addCounts(series, counts)
    series.cost.add(costUnits)
    addTimes(series, ending)
    const timedMs = measureTimedMs(reservation, counts, ending)
    if (timedMs !== null) series.perToken.observe(timedMs / 1000 / (counts.completionTokens - 1))
    const organisation = listed.get(organisationId)
    if (organisation === undefined) return
    organisation.requests.add()
    organisation.tokens.add(counts.promptTokens + counts.completionTokens)
    organisation.cost.add(costUnits)
  }

  return {
    families: Object.values(families).filter((family) => organisations.length > 0 || !perOrganisation.has(family)),
    measureLedger: (ledger) => ({
      get acceptsWithoutStore() {
        return ledger.acceptsWithoutStore
      },
      get unwritten() {
        return ledger.unwritten
      },
      get lagMs() {
        return ledger.lagMs
      },
      async reserve(reservation) {
        const entry = await ledger.reserve(reservation)
        countAdmitted(reservation.endpoint)
        return new MeasuredEntry(entry, reservation, settled)
      },
      close: () => ledger.close(),
    }),
    onCacheLookup: (result) => families.cacheLookups.of(result).add(),
    onReplayed: (kind) => families.replays.of(kind).add(),
    measureRefusals: (refusals) => ({
      add(refusal) {
        const { endpoint, error, limit } = refusal
        families.refused.of(endpoint, error, limit?.name ?? '', limit?.scope ?? '').add()
        refusals.add(refusal)
      },
      close: () => refusals.close(),
    }),
  }
}

const openSeries = (families: RequestFamilies, { endpoint, model }: Called): RequestSeries => {
  const operation = operationNames[endpoint]
  return {
    outcomes: {
      completed: families.requests.of(endpoint, model, 'completed'),
      failed: families.requests.of(endpoint, model, 'failed'),
      client_closed: families.requests.of(endpoint, model, 'client_closed'),
      server_died: families.requests.of(endpoint, model, 'server_died'),
    },
    promptTokens: families.promptTokens.of(model),
    cachedTokens: families.cachedTokens.of(model),
    completionTokens: families.completionTokens.of(model),
    reasoningTokens: families.reasoningTokens.of(model),
    cost: families.cost.of(model),
    duration: families.duration.of(operation, model),
    firstToken: families.firstToken.of(operation, model),
    perToken: families.perToken.of(operation, model),
    queue: families.queue.of(model),
    pauses: families.pauses.of(model),
    pausedSeconds: families.pausedSeconds.of(model),
    upstreamRetries: families.upstreamRetries.of(model),
    continued: families.continued.of(model),
  }
}

type OnSettled = (reservation: ReservationRecord, counts: RequestCounts, ending: Ending) => void

/** An entry that says how it was settled, once. */
class MeasuredEntry implements Entry {
  readonly #entry: Entry
  readonly #reservation: ReservationRecord
  readonly #onSettled: OnSettled
  #counts: RequestCounts = noCounts
  #isSettled = false

  constructor(entry: Entry, reservation: ReservationRecord, onSettled: OnSettled) {
    this.#entry = entry
    this.#reservation = reservation
    this.#onSettled = onSettled
  }

  count(counts: RequestCounts): void {
    this.#counts = counts
    this.#entry.count(counts)
  }

  settle(...[ending, replay]: Parameters<Entry['settle']>): ReturnType<Entry['settle']> {
    if (!this.#isSettled) {
      this.#isSettled = true
      this.#onSettled(this.#reservation, this.#counts, ending)
    }
    return this.#entry.settle(ending, replay)
  }
}

const addCounts = (series: RequestSeries, counts: RequestCounts): void => {
  series.promptTokens.add(counts.promptTokens)
  series.cachedTokens.add(counts.cachedTokens)
  series.completionTokens.add(counts.completionTokens)
  series.reasoningTokens.add(counts.reasoningTokens)
}

const addTimes = (series: RequestSeries, ending: Ending): void => {
  const { durationMs, firstTokenMs, queueMs, route, pauses } = ending
  series.duration.observe(durationMs / 1000)
  if (queueMs !== null) series.queue.observe(queueMs / 1000)
  if (firstTokenMs !== null) series.firstToken.observe(firstTokenMs / 1000)
  if (pauses !== undefined) {
    series.pauses.add(pauses.count)
    series.pausedSeconds.add(pauses.ms / 1000)
  }
  if (route === undefined) return
  series.upstreamRetries.add(route.attempts - 1)
  if (route.isContinued) series.continued.add()
}

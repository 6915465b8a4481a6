import { systemClock } from '../src/base/clock.ts'
import { newRequestId } from '../src/base/ids.ts'
import { createDependencyTimes } from '../src/metrics/dependency-times.ts'
import { createRequestMetrics } from '../src/metrics/request-metrics.ts'
import type { ReservationRecord } from '../src/store/ledger-contract.ts'
import { timedCalls } from '../src/store/records/timed-calls.ts'
import type { Ending, Ledger, SettlementFate } from '../src/usage/ledger-contract.ts'
import { noCounts } from '../src/usage/ledger-entry.ts'
import { report, spreadOf, takeTurns } from './measure.ts'

/**
 * What metrics add to the CPU of a request: what the ledger, the log of refusals and the database do for a request of 60
 * counted tokens, with all of their work left out, with metrics and without in turns. The target is a share of a gateway
 * request of `gatewayUs`, the median of `npm run bench -- gateway`.
 */
const rounds = 15
const requests = 50_000
const tokens = 60
const gatewayUs = 393
const maxShare = 0.01
/** Operations of the database that wait for each other are timed one by one: those of a request that shares no batch. */
const storeCalls = ['findKeyByHash', 'reserveRequests', 'settleRequests'] as const

const recorded = Promise.resolve<SettlementFate>('recorded')
const settling = { durable: recorded, attempted: recorded }
const bareLedger: Ledger = {
  reserve: async () => ({ count: () => {}, settle: () => settling }),
  acceptsWithoutStore: false,
  unwritten: 0,
  lagMs: 0,
  close: async () => {},
}
const bareCalls = { call: async () => asNever(null) }

const ending: Ending = {
  ...{ outcome: 'completed', finishReason: 'stop', error: null },
  ...{ queueMs: 1, firstTokenMs: 20, durationMs: 400, route: { upstreams: ['a'], attempts: 1, isContinued: false } },
}
const reservation: ReservationRecord = {
  ...{ requestId: newRequestId(0), organisationId: 'org_1', keyId: 'key_1', model: 'model' },
  ...{ endpoint: 'chat.completions', stream: true, reservedTokens: 100, reservedMicros: 10 },
  ...{ limits: null, createdAt: 0, price: { promptMicros: 1, cachedMicros: 1, completionMicros: 2 } },
}

const measure = async (ledger: Ledger, calls: ReturnType<typeof timedCalls>): Promise<number> => {
  const before = process.cpuUsage()
  for (let request = 0; request < requests; request += 1) {
    for (const name of storeCalls) await calls.call(name, ...noArguments())
    const entry = await ledger.reserve(reservation)
    for (let token = 1; token <= tokens; token += 1)
      entry.count({ ...noCounts, promptTokens: 20, completionTokens: token })
    entry.settle(ending)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}

/** Nothing reads them. */
const noArguments = (): never => [] as never
const asNever = (value: unknown): never => value as never

const { measureLedger } = createRequestMetrics(['org_1'])
const { onStoreCall } = createDependencyTimes()
const measured = [measureLedger(bareLedger), timedCalls(bareCalls, systemClock, onStoreCall)] as const
await measure(...measured)
await measure(bareLedger, bareCalls)
const { with: withMetrics, without } = await takeTurns(rounds, {
  with: () => measure(...measured),
  without: () => measure(bareLedger, bareCalls),
})
const addedUs = withMetrics.map((us, round) => us - (without[round] ?? Number.NaN))
const share = spreadOf(
  addedUs.map((us) => us / gatewayUs),
  4,
)
report({
  bench: 'metrics',
  ratio: share,
  target: `at most ${maxShare * 100} % of a gateway request of ${gatewayUs} µs`,
  met: share.median <= maxShare,
  rounds,
  figures: { addedUs: spreadOf(addedUs), requests, tokens },
})

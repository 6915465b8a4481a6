import type { Gateway, GatewayKind, GatewayProcesses } from './gateway-processes.ts'
import { warmUp } from './gateway-warm-up.ts'
import { median, report, spreadOf, takeTurns } from './measure.ts'
import { measureSync } from './measure-sync.ts'

const rounds = 5
const maxAddedFirstMs = 0.5
const mostAddedP99Ms = 5
const streams = 200
const rates = [100, 200, 400, 600, 800, 1000, 1500, 2000, 3000, 4000]
const secondsPerRate = 2
const rateRounds = 2
/** In a round; the tenth slowest of two rounds decides. */
const leastRequestsPerRate = 500

/** Time to the first token of one stream at a time, beyond that of the upstream itself. */
export const measureFirstToken = async ({ helix, bare, direct, ask }: GatewayProcesses): Promise<void> => {
  const firstMs = async (gateway: Gateway): Promise<number> => {
    const times = await ask(gateway, 'stream', { requests: streams, connections: 1 })
    return median(times.firstMs)
  }
  for (const gateway of [helix, bare, direct])
    await warmUp(async () => median((await ask(gateway, 'stream', { requests: 1000 })).totalMs))
  const results = await takeTurns(rounds, {
    helix: () => firstMs(helix),
    bare: () => firstMs(bare),
    direct: () => firstMs(direct),
  })
  const addedBy = (values: readonly number[]): number[] =>
    values.map((value, round) => value - (results.direct[round] ?? Number.NaN))
  const added = spreadOf(addedBy(results.helix))
  report({
    bench: 'gateway, first token',
    ratio: null,
    target: `at most ${maxAddedFirstMs} ms more than without a gateway`,
    met: added.median <= maxAddedFirstMs,
    rounds,
    figures: { addedMs: added, bareAddedMs: spreadOf(addedBy(results.bare)), directMs: spreadOf(results.direct) },
  })
}

type Rate = { perSecond: number; addedP99Ms: number | null }

/**
 * The highest rate at which the 99th percentile is at most 5 ms above that of the upstream itself at the same rate. All are
 * measured in turns, and the requests of all rounds count together, so that a single slow moment of the machine does not decide.
 */
export const measureRate = async ({ helix, bare, direct, ask }: GatewayProcesses): Promise<void> => {
  const kind: GatewayKind = 'json'
  for (const gateway of [helix, bare, direct])
    await warmUp(async () => median((await ask(gateway, kind, { requests: 1000 })).totalMs))
  const highest: Record<'helix' | 'bare', Rate> = {
    helix: { perSecond: 0, addedP99Ms: null },
    bare: { perSecond: 0, addedP99Ms: null },
  }
  const failed: Partial<Record<'helix' | 'bare', Rate>> = {}
  for (const perSecond of rates) {
    const left = (['helix', 'bare'] as const).filter((name) => failed[name] === undefined)
    if (left.length === 0) break
    const requests = Math.max(leastRequestsPerRate, perSecond * secondsPerRate)
    const times = { helix: [] as number[], bare: [] as number[], direct: [] as number[] }
    for (let round = 0; round < rateRounds; round += 1)
      for (const name of ['direct', ...left] as const)
        times[name].push(...(await ask({ helix, bare, direct }[name], kind, { requests, perSecond })).totalMs)
    for (const name of left) {
      const rate = { perSecond, addedP99Ms: Number((p99(times[name]) - p99(times.direct)).toFixed(2)) }
      if (rate.addedP99Ms > mostAddedP99Ms) failed[name] = rate
      else highest[name] = rate
    }
  }
  report({
    bench: 'gateway, rate',
    ratio: null,
    target: null,
    met: null,
    rounds: rateRounds,
    figures: { kind, mostAddedP99Ms, ...highest, failed, syncMs: measureSync() },
  })
}

const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

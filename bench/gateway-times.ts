import type { Gateway, GatewayKind, GatewayProcesses } from './gateway-processes.ts'
import { median, report, spreadOf, takeTurns } from './measure.ts'

const rounds = 5
const mostAddedFirstMs = 1
const mostAddedP99Ms = 5
const streams = 200
const rates = [100, 200, 400, 600, 800, 1000, 1500, 2000, 3000, 4000]
const secondsPerRate = 3

/** Time to the first token of one stream at a time, beyond that of the upstream itself. */
export const measureFirstToken = async ({ helix, bare, direct, ask }: GatewayProcesses): Promise<void> => {
  const firstMs = async (gateway: Gateway): Promise<number> => {
    const times = await ask(gateway, 'stream', { requests: streams, connections: 1 })
    return median(times.firstMs)
  }
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
    target: `at most ${mostAddedFirstMs} ms more than without a gateway`,
    met: added.median <= mostAddedFirstMs,
    rounds,
    figures: { addedMs: added, bareAddedMs: spreadOf(addedBy(results.bare)), directMs: spreadOf(results.direct) },
  })
}

/** The highest rate at which the 99th percentile is at most 5 ms above that of the upstream itself at the same rate. */
export const measureRate = async ({ helix, bare, direct, ask }: GatewayProcesses): Promise<void> => {
  const kind: GatewayKind = 'json'
  const p99Ms = async (gateway: Gateway, perSecond: number): Promise<number> => {
    const { totalMs } = await ask(gateway, kind, { requests: perSecond * secondsPerRate, perSecond })
    return totalMs.toSorted((a, b) => a - b)[Math.floor(totalMs.length * 0.99)] ?? Number.NaN
  }
  const highestRate = async (gateway: Gateway): Promise<{ perSecond: number; addedP99Ms: number | null }> => {
    let highest: { perSecond: number; addedP99Ms: number | null } = { perSecond: 0, addedP99Ms: null }
    for (const perSecond of rates) {
      const directMs = await p99Ms(direct, perSecond)
      const addedP99Ms = (await p99Ms(gateway, perSecond)) - directMs
      if (addedP99Ms > mostAddedP99Ms) break
      highest = { perSecond, addedP99Ms: Number(addedP99Ms.toFixed(2)) }
    }
    return highest
  }
  report({
    bench: 'gateway, rate',
    ratio: null,
    target: null,
    met: null,
    rounds: 1,
    figures: { kind, mostAddedP99Ms, helix: await highestRate(helix), bare: await highestRate(bare) },
  })
}

import type { GatewayKind, GatewayProcesses } from './gateway-processes.ts'
import { warmUp } from './gateway-warm-up.ts'
import { median, report } from './measure.ts'
import { measureSync } from './measure-sync.ts'

/** Requests a second, evenly, whether earlier ones were answered or not. */
const rates: Record<GatewayKind, readonly number[]> = { json: [100, 1000, 2000, 5000], stream: [100] }
const rounds = 3
const targets = { json: { rate: 1000, p50Ms: 1, p99Ms: 1.5 }, stream: { rate: 100, p50Ms: 0.5 } }

/** `seconds`: of each round. `isExact`: see `GatewayLoad`. */
type OpenLoopOptions = { seconds: number; isExact: boolean; workers: number }

const syncDelay = { HELIX_LEDGER_SYNC_DELAY_MS: '100' }

/**
 * What the gateways add to the time of a JSON answer, and to that of the first token of a stream, at fixed rates, and what they
 * refuse. The upstream itself, the bare proxy, Helix, and Helix whose answers do not wait for the disk take turns, and the
 * requests of all rounds count together.
 */
export const measureOpenLoop = async (
  processes: GatewayProcesses,
  { seconds, isExact, workers }: OpenLoopOptions,
): Promise<void> => {
  const { helix, bare, direct, ask } = processes
  const gateways = { direct, bare, helix, delayed: await processes.startHelix(workers, syncDelay) }
  for (const kind of ['json', 'stream'] as const) {
    for (const gateway of Object.values(gateways))
      await warmUp(async () => median((await ask(gateway, kind, { requests: kind === 'json' ? 3000 : 1000 })).totalMs))
    for (const perSecond of rates[kind]) {
      const measured = Object.entries(gateways).map(([name, gateway]) => ({
        name,
        gateway,
        times: noTimes(),
        refused: 0,
      }))
      const requests = Math.ceil(perSecond * seconds)
      for (let round = 0; round < rounds; round += 1)
        for (const one of round % 2 === 0 ? measured : measured.toReversed()) {
          const run = await ask(one.gateway, kind, { requests, perSecond, countsRefused: true, isExact })
          for (const ms of kind === 'json' ? run.totalMs : run.firstMs) one.times.push(ms)
          one.refused += run.refused
        }
      const figures = Object.fromEntries(measured.map(({ name, times, refused }) => [name, figuresOf(times, refused)]))
      const addedBy = (name: keyof typeof gateways): { p50: number; p99: number } => ({
        p50: round2(percentile(timesOf(measured, name), 0.5) - percentile(timesOf(measured, 'direct'), 0.5)),
        p99: round2(percentile(timesOf(measured, name), 0.99) - percentile(timesOf(measured, 'direct'), 0.99)),
      })
      const target = targets[kind]
      const addedMs = addedBy('helix')
      const isTarget = perSecond === target.rate
      const isWithin = addedMs.p50 <= target.p50Ms && (!('p99Ms' in target) || addedMs.p99 <= target.p99Ms)
      report({
        bench: 'gateway, open loop',
        ratio: null,
        target: isTarget
          ? `added ${kind === 'json' ? 'p50 1 ms, p99 1.5 ms' : 'p50 of the first token 0.5 ms'} at most`
          : null,
        met: isTarget ? isWithin : null,
        rounds,
        figures: {
          ...{ kind, perSecond, requests: requests * rounds, isExact, addedMs },
          ...{ delayedAddedMs: addedBy('delayed'), bareAddedMs: addedBy('bare'), ...figures },
          syncMs: measureSync(),
        },
      })
    }
  }
}

const noTimes = (): number[] => []

type Measured = { name: string; times: number[] }

const timesOf = (measured: readonly Measured[], name: string): readonly number[] =>
  measured.find((one) => one.name === name)?.times ?? []

const figuresOf = (times: readonly number[], refused: number) => ({
  p50Ms: round2(percentile(times, 0.5)),
  p99Ms: round2(percentile(times, 0.99)),
  refused,
})

const round2 = (value: number): number => Number(value.toFixed(2))

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

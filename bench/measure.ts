import { availableParallelism, cpus } from 'node:os'

/**
 * Statistics and the one line that every bench prints. Machines differ and are never quiet, so a bench measures a reference
 * in the same run, turn by turn with ours, and its result is the ratio of the two.
 */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  if (low === undefined || high === undefined) throw new RangeError('there is no median of nothing')
  return (low + high) / 2
}

export type Spread = { median: number; min: number; max: number }

export const spreadOf = (values: readonly number[], digits = 2): Spread => ({
  median: round(median(values), digits),
  min: round(Math.min(...values), digits),
  max: round(Math.max(...values), digits),
})

const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

/** Of the pairs that were measured next to each other, so that a slow minute of the machine meets both. */
export const ratioSpread = (ours: readonly number[], reference: readonly number[]): Spread =>
  spreadOf(ours.map((value, round) => value / (reference[round] ?? Number.NaN)))

/** Of all streams together, once each of them has begun: reading the prompts is no part of it. */
export const tokensPerSecond = (arrivalsMs: readonly number[][]): number => {
  const fromMs = Math.max(...arrivalsMs.map(([first = 0]) => first))
  const later = arrivalsMs.flat().filter((atMs) => atMs > fromMs)
  return (later.length * 1000) / (Math.max(...later) - fromMs)
}

/** Calls all of them in turn, `rounds` times, every second time backwards; gives what each returned, by name. */
export const takeTurns = async <Name extends string>(
  rounds: number,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(measures).filter((name): name is Name => name in measures)
  const results = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) results.get(name)?.push(await measures[name]())
  return asRecordOf<Name>(Object.fromEntries(results))
}

/** Sound because every name of `measures`, and no other, was given a list. */
const asRecordOf = <Name extends string>(results: Record<string, number[]>): Record<Name, number[]> =>
  results as Record<Name, number[]>

type Result = {
  bench: string
  /** Ours against the reference of the same run. */
  ratio: Spread
  /** In words; null where a bench only informs. */
  target: string | null
  met: boolean | null
  rounds: number
  /** What else was measured, with its unit in the name. */
  figures: Record<string, unknown>
}

export const report = ({ rounds, figures, ...result }: Result): void => {
  const conditions = {
    node: process.versions.node,
    arch: process.arch,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    rounds,
  }
  process.stdout.write(`${JSON.stringify({ ...result, ...figures, conditions })}\n`)
}

import { availableParallelism, cpus } from 'node:os'

/**
 * Statistics and the result line that every bench prints. Machines differ and are never idle, so a bench alternates
 * with a reference in the same run and reports the ratio of the two.
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

/** Compares adjacent measurements, so that a slow period of the machine affects both. */
export const ratioSpread = (ours: readonly number[], reference: readonly number[]): Spread =>
  spreadOf(ours.map((value, round) => value / (reference[round] ?? Number.NaN)))

/**
 * Tokens per second of the streams `of` together, in the time in which all streams generate: from the latest first
 * token to the earliest last one. Prompt processing and the ends of longer answers are thus excluded.
 */
export const tokensPerSecond = (streams: readonly number[][], of: readonly number[][] = streams): number => {
  const fromMs = Math.max(...streams.map(([first = Number.NaN]) => first))
  const untilMs = Math.min(...streams.map((arrivalsMs) => arrivalsMs.at(-1) ?? Number.NaN))
  const between = of.flat().filter((atMs) => atMs > fromMs && atMs <= untilMs)
  return untilMs > fromMs ? (between.length * 1000) / (untilMs - fromMs) : Number.NaN
}

/** Calls each in turn, `rounds` times, in reverse order every second round; returns the results by name. */
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

/** Sound because exactly the names of `measures` have a list. */
const asRecordOf = <Name extends string>(results: Record<string, number[]>): Record<Name, number[]> =>
  results as Record<Name, number[]>

type Result = {
  bench: string
  /** Ours relative to the reference of the same run; null if there is no reference. */
  ratio: Spread | null
  /** The target in words; null if the bench has none. */
  target: string | null
  met: boolean | null
  rounds: number
  /** Further measurements, with the unit in the name. */
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

import { loadavg } from 'node:os'
import { report, type Spread } from './measure.ts'

/** What the median of a ratio should be. */
export type Target = { words: string; isMet: (ratio: number) => boolean }

export const atLeast = (least: number): Target => ({ words: `≥ ${least}`, isMet: (ratio) => ratio >= least })
export const atMost = (max: number): Target => ({ words: `≤ ${max}`, isMet: (ratio) => ratio <= max })

type Part = {
  bench: string
  part: string
  /** Null if there is no reference. */
  ratio: Spread | null
  target: Target | null
  rounds: number
  figures: Record<string, Spread | number | string | null>
}

/** One comparison of a bench that makes several: a JSON line, and the same for people on standard error. */
export const reportPart = ({ bench, part, ratio, target, rounds, figures }: Part): void => {
  const met = ratio && target ? target.isMet(ratio.median) : null
  const loadAverage = loadavg().map((load) => Number(load.toFixed(1)))
  report({ bench, ratio, target: target?.words ?? null, met, rounds, figures: { part, ...figures, loadAverage } })
  const verdict =
    target === null ? '' : ` (target ${target.words}: ${met === null ? 'not measured' : met ? 'met' : 'missed'})`
  const values = Object.entries(figures).map(([name, value]) => `${name} ${inWords(value)}`)
  console.error(`${part}: ${inWords(ratio)}${verdict}; ${values.join(', ')}`)
}

const inWords = (value: Spread | number | string | null): string => {
  if (value === null) return 'no figure'
  return typeof value !== 'object' ? String(value) : `${value.median} (${value.min}–${value.max})`
}

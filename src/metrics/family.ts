/**
 * Metrics for Prometheus: counters and histograms that requests add to, and gauges that are read when somebody asks. May
 * import `base` only. Promises that no label has an unbounded number of values: beyond `maxSeries` a family counts the rest
 * under `other`.
 */

/** The most series of one family. */
const maxSeries = 1000

export type Labels = readonly string[]

type Kind = 'counter' | 'gauge' | 'histogram' | 'info'

export type FamilyOptions = {
  /** Without the suffix that its kind adds. */
  name: string
  help: string
  labels?: Labels
}

/** One metric with all of its labels. */
export interface Family {
  readonly name: string
  readonly kind: Kind
  readonly help: string
  /** The lines of its samples, each with its end. */
  samples(): string
}

/** Series by their labels, created when they are first used. */
export class SeriesByLabels<Series> {
  readonly #created = new Map<string, Series>()
  readonly #names: Labels
  readonly #create: () => Series

  constructor(names: Labels, create: () => Series) {
    this.#names = names
    this.#create = create
  }

  get(values: Labels): Series {
    const text = writeLabels(this.#names, values)
    const known = this.#created.get(text)
    if (known !== undefined) return known
    if (this.#created.size >= maxSeries && !values.every((value) => value === 'other'))
      return this.get(values.map(() => 'other'))
    const series = this.#create()
    this.#created.set(text, series)
    return series
  }

  entries(): Iterable<[string, Series]> {
    return this.#created.entries()
  }
}

/** `a="1",b="2"`; empty without labels. */
export const writeLabels = (names: Labels, values: Labels): string =>
  names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`).join(',')

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }
const escapeLabel = (value: string): string => value.replace(/[\\"\n]/g, (character) => escapes[character] ?? '')

export const withLabels = (name: string, labels: string): string => (labels === '' ? name : `${name}{${labels}}`)

/** Whole numbers and fractions as Prometheus reads them. */
export const writeNumber = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  return String(value)
}

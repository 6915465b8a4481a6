import { type Family, type FamilyOptions, type Labels, SeriesByLabels, withLabels, writeNumber } from './family.ts'

/** One series of a histogram. */
export class Distribution {
  readonly #bounds: readonly number[]
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    // From below: most values are small, and there are few bounds.
    let index = 0
    while (index < this.#bounds.length && value > (this.#bounds[index] ?? 0)) index += 1
    this.counts[index] = (this.counts[index] ?? 0) + 1
    this.sum += value
  }
}

/** How values such as durations are distributed, in buckets with fixed bounds. */
export class Histogram implements Family {
  readonly kind = 'histogram'
  readonly name: string
  readonly help: string
  readonly #bounds: readonly number[]
  readonly #series: SeriesByLabels<Distribution>

  constructor({ name, help, labels = [], bounds }: FamilyOptions & { bounds: readonly number[] }) {
    this.name = name
    this.help = help
    this.#bounds = bounds
    this.#series = new SeriesByLabels(labels, () => new Distribution(bounds))
  }

  /** To be kept by callers that observe often. */
  of(...labels: Labels): Distribution {
    return this.#series.get(labels)
  }

  samples(): string {
    let text = ''
    for (const [labels, series] of this.#series.entries()) text += this.#write(labels, series)
    return text
  }

  #write(labels: string, { counts, sum }: Distribution): string {
    const prefix = labels === '' ? '' : `${labels},`
    let text = ''
    let below = 0
    for (const [index, count] of counts.entries()) {
      below += count
      const bound = this.#bounds[index]
      const end = bound === undefined ? '+Inf' : writeBound(bound)
      text += `${this.name}_bucket{${prefix}le="${end}"} ${below}\n`
    }
    text += `${withLabels(`${this.name}_count`, labels)} ${below}\n`
    return `${text}${withLabels(`${this.name}_sum`, labels)} ${writeNumber(sum)}\n`
  }
}

/** OpenMetrics asks for a fraction: `1.0`. */
const writeBound = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : String(bound))

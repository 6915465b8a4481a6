import { type Family, type FamilyOptions, type Labels, SeriesByLabels, withLabels, writeNumber } from './family.ts'

/** One series of a counter. */
export class Count {
  value = 0

  add(by = 1): void {
    if (by > 0) this.value += by
  }
}

/** What only grows, such as the number of requests. */
export class Counter implements Family {
  readonly kind = 'counter'
  readonly name: string
  readonly help: string
  readonly #series: SeriesByLabels<Count>

  constructor({ name, help, labels = [] }: FamilyOptions) {
    this.name = name
    this.help = help
    this.#series = new SeriesByLabels(labels, () => new Count())
  }

  /** To be kept by callers that add often. */
  of(...labels: Labels): Count {
    return this.#series.get(labels)
  }

  samples(): string {
    let text = ''
    for (const [labels, { value }] of this.#series.entries())
      text += `${withLabels(`${this.name}_total`, labels)} ${writeNumber(value)}\n`
    return text
  }
}

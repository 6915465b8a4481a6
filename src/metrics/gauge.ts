import { type Family, type FamilyOptions, type Labels, withLabels, writeLabels, writeNumber } from './family.ts'

/** The labels of a sample and its value. */
export type Reading = readonly [labels: Labels, value: number]

type GaugeOptions = FamilyOptions & {
  /** Called when somebody asks. */
  read(): Iterable<Reading> | number | null
  kind?: 'gauge' | 'counter' | 'info'
}

const suffixes = { gauge: '', counter: '_total', info: '_info' } as const

/** What is read from its owner when somebody asks. `kind` is `counter` where the owner only counts up. */
export const createGauge = ({ name, help, labels = [], read, kind = 'gauge' }: GaugeOptions): Family => ({
  name,
  kind,
  help,
  samples() {
    const found = read()
    if (found === null) return ''
    const readings: Iterable<Reading> = typeof found === 'number' ? [[[], found]] : found
    let text = ''
    for (const [values, value] of readings)
      text += `${withLabels(name + suffixes[kind], writeLabels(labels, values))} ${writeNumber(value)}\n`
    return text
  },
})

import type { Family } from './family.ts'
import { writeMetrics } from './write-metrics.ts'

/** All families of a server. The parts of the server add theirs when they are opened. */
export interface Metrics {
  add(...families: readonly Family[]): void
  /** The text for a scrape. */
  write(): string
}

export const createMetrics = (): Metrics => {
  const added: Family[] = []
  return {
    add: (...families) => void added.push(...families),
    write: () => writeMetrics(added),
  }
}

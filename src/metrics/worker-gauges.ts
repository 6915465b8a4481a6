import type { Family } from './family.ts'
import { createGauge, type Reading } from './gauge.ts'

type MeasuredWorkers = {
  readonly size: number
  readonly deaths: number
  busy(): readonly number[]
}

/** The threads that answer requests beside the main thread. Requests are counted where they are settled, for all together. */
export const createWorkerGauges = (workers: MeasuredWorkers): Family[] => [
  createGauge({
    name: 'helix_workers',
    help: 'Threads that accept connections.',
    read: () => workers.size,
  }),
  createGauge({
    name: 'helix_worker_busy_ratio',
    help: 'The part of the time since the last scrape in which the event loop of a worker was busy.',
    labels: ['worker'],
    read: () => workers.busy().map((busy, index): Reading => [[String(index)], busy]),
  }),
  createGauge({
    kind: 'counter',
    name: 'helix_worker_deaths',
    help: 'Workers that died and were replaced.',
    read: () => workers.deaths,
  }),
]

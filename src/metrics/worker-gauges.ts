import type { Family } from './family.ts'
import { createGauge, type Reading } from './gauge.ts'

/** By the number of the worker; null of one that is being replaced. */
type OfEach = readonly (number | null)[]

type MeasuredWorkers = {
  readonly size: number
  readonly deaths: number
  busy(): OfEach
  heapBytes(): OfEach
  externalBytes(): OfEach
  /** In seconds, since the last call. */
  longestLags(): OfEach
}

/** The threads that answer requests beside the main thread. Requests are counted where they are settled, for all together. */
export const createWorkerGauges = (workers: MeasuredWorkers): Family[] => [
  createGauge({
    name: 'helix_workers',
    help: 'Threads that accept connections.',
    read: () => workers.size,
  }),
  ofEach(
    'helix_worker_busy_ratio',
    'The part of the time since the last scrape in which the event loop of a worker was busy.',
    () => workers.busy(),
  ),
  ofEach('helix_worker_heap_size_used_bytes', 'Memory in use by JavaScript objects of a worker.', () =>
    workers.heapBytes(),
  ),
  ofEach('helix_worker_external_memory_bytes', 'Memory of buffers of a worker.', () => workers.externalBytes()),
  ofEach('helix_worker_eventloop_lag_max_seconds', 'Longest delay of its event loop since the last scrape.', () =>
    workers.longestLags(),
  ),
  createGauge({
    kind: 'counter',
    name: 'helix_worker_deaths',
    help: 'Workers that died and were replaced.',
    read: () => workers.deaths,
  }),
]

const ofEach = (name: string, help: string, read: () => OfEach): Family =>
  createGauge({
    ...{ name, help, labels: ['worker'] },
    read: () => read().flatMap((value, index): Reading[] => (value === null ? [] : [[[String(index)], value]])),
  })

import { expect, test } from 'vitest'
import type { ExportCounts } from '../../traces/span-exporter.ts'
import { createSharedSpanCounts } from './shared-span-counts.ts'

const counts = (exported: number, lost: number, waiting: number): ExportCounts => ({
  exported,
  dropped: { queue_full: 0, rejected: 0, unreachable: lost },
  waiting,
})

test('the counters of a worker go on with the one that replaces it, and what waited is gone', () => {
  const ofAuthority = createSharedSpanCounts()
  createSharedSpanCounts(ofAuthority.memory).write(counts(5, 1, 3))
  const replacing = createSharedSpanCounts(ofAuthority.memory)
  expect(ofAuthority.read()).toEqual(counts(5, 1, 0))
  replacing.write(counts(2, 0, 1))
  replacing.write(counts(4, 1, 0))
  expect(ofAuthority.read()).toEqual(counts(9, 2, 0))
})

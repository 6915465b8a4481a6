import { expect, test } from 'vitest'
import { defaultWorkers } from './default-workers.ts'

test('without upstreams one worker is enough, however many cores there are', () => {
  expect([1, 2, 16].map((cores) => defaultWorkers(false, cores))).toEqual([1, 1, 1])
})

test('with upstreams one core is left to the main thread, and there are at most eight', () => {
  expect([1, 2, 3, 9, 10, 64].map((cores) => defaultWorkers(true, cores))).toEqual([1, 1, 2, 8, 8, 8])
})

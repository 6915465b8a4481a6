import fc from 'fast-check'
import { afterAll, afterEach } from 'vitest'
import { endFile } from './ends-with-file.ts'
import { openFileCost } from './file-cost.ts'
import { checkSeenBodies } from './seen-bodies.ts'

// Runs the same cases every time, so that a failure points to the change. HELIX_TEST_SEED=random tries new ones.
const { HELIX_TEST_SEED: seed = '20010101' } = process.env
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

// Runs before every test file; its imports are loaded once and stay for the files after it.
const closeFileCost = openFileCost()
// Runs last: hooks run in the reverse order.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures in the first parameter.
afterAll(({}, { file }) => {
  file.meta.cost = closeFileCost()
})
afterAll(endFile)
afterEach(checkSeenBodies)
afterAll(checkSeenBodies)

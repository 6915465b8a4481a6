import fc from 'fast-check'
import { afterAll, afterEach } from 'vitest'
import { endFile } from './ends-with-file.ts'
import { checkSeenBodies } from './seen-bodies.ts'

// Runs the same cases every time, so that a failure points to the change. HELIX_TEST_SEED=random tries new ones.
const { HELIX_TEST_SEED: seed = '20010101' } = process.env
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

// Runs before every test file; its imports are loaded once and stay for the files after it.
afterAll(endFile)
afterEach(checkSeenBodies)
afterAll(checkSeenBodies)

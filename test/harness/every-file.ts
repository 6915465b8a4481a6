import fc from 'fast-check'
import { afterAll, afterEach } from 'vitest'
import { endFile } from './ends-with-file.ts'
import { checkSeenBodies } from './seen-bodies.ts'

// The same cases in every run, so that a change fails by what it changed. HELIX_TEST_SEED=random searches for new ones.
const { HELIX_TEST_SEED: seed = '20010101' } = process.env
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })

// Runs in front of every test file; what it imports is loaded once and stays for the files after it.
afterAll(endFile)
afterEach(checkSeenBodies)
afterAll(checkSeenBodies)

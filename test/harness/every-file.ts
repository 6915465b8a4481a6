import { afterAll, afterEach } from 'vitest'
import { endFile } from './ends-with-file.ts'
import { checkSeenBodies } from './seen-bodies.ts'

// Runs in front of every test file; what it imports is loaded once and stays for the files after it.
afterAll(endFile)
afterEach(checkSeenBodies)
afterAll(checkSeenBodies)

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory for one test, removed when the test ends. */
export const tempDir = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'helix-test-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endsWithFile } from './ends-with-file.ts'

/** A directory that all tests of a file may share, removed after the last one. */
export const scratchPath = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'helix-test-'))
  endsWithFile(() => rmSync(path, { recursive: true, force: true }))
  return path
}

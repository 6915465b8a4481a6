import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchPath } from './scratch-path.ts'

/** Writes a file into a folder of its own and returns its path. */
export const writeGguf = (bytes: Uint8Array, name = 'model.gguf'): string => {
  const path = join(scratchPath(), name)
  writeFileSync(path, bytes)
  return path
}

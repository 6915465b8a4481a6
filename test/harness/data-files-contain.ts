import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whether the bytes of the text are in the embedded database or its write-ahead log. */
export const dataFilesContain = (dataDir: string, text: string): boolean =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith('helix.db'))
    .some((name) => readFileSync(join(dataDir, name)).includes(text))

import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Puts a database with the current schema and without any row into a data directory that has none: a server that starts there has no
 * migration to run, and all else to do. Benchmarks, which have no template, start with an empty directory, as tests about first starts do.
 */
export const placeDatabase = (dataDir: string): void => {
  const { HELIX_TEST_DATABASE: template } = process.env
  const file = join(dataDir, 'helix.db')
  if (template === undefined || existsSync(file)) return
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  copyFileSync(template, file)
}

import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scratchDirectory } from '../../../../test/harness/scratch-store.ts'
import { removeOldBackups, requireRoom } from './back-up.ts'

test('the last three backups from before migrations are kept, and files of others', () => {
  using scratch = scratchDirectory()
  const names = [1, 2, 3, 4, 5].map((number) => `helix-v${number}-2026-11-1${number}T10-30-00-000Z.db`)
  for (const [index, name] of [...names, 'monday.db', 'helix-v9.db'].entries()) {
    writeFileSync(join(scratch.path, name), '')
    utimesSync(join(scratch.path, name), 1_000 + index, 1_000 + index)
  }
  removeOldBackups(scratch.path)
  expect(readdirSync(scratch.path).sort()).toEqual([...names.slice(2), 'helix-v9.db', 'monday.db'].sort())
})

test('without room for a backup a migration is refused, with what it needs', () => {
  using scratch = scratchDirectory()
  expect(() => requireRoom(4096, scratch.path)).not.toThrow()
  expect(() => requireRoom(1e18, scratch.path)).toThrow(
    /^A backup is made before the migration, which needs \d+ MB of free disk space; .* has \d+ MB\. Nothing was changed\.$/,
  )
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { lockDataDirectory } from '../../src/store/data-directory.ts'
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { createManualClock } from './manual-clock.ts'
import { clockOf, keepOneClock } from './one-clock.ts'

/** A separate directory that removes itself if declared with `using`. */
export const scratchDirectory = (): { path: string } & Disposable => {
  const path = mkdtempSync(join(tmpdir(), 'helix-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** A real store in `path`, on the clock that used `path` before; `await using` closes and unlocks it. */
export const openScratchStore = async (
  path: string,
  clock: Clock = clockOf(path) ?? createManualClock(),
): Promise<SqliteStore & AsyncDisposable> => {
  keepOneClock(path, clock)
  const directory = await lockDataDirectory(path, { clock, waitMs: 0 })
  try {
    const store = await openSqliteStore({ directory, clock })
    return {
      ...store,
      async [Symbol.asyncDispose]() {
        await store.close()
        directory.release()
      },
    }
  } catch (error) {
    directory.release()
    throw error
  }
}

/** Another organisation in the store of `path`, which may be open, without a person's account. */
export const addOrganisation = (path: string): string => {
  const id = newId('org')
  const db = new DatabaseSync(join(path, 'helix.db'), { timeout: 5_000 })
  db.prepare('INSERT INTO organisations (id, name, created_at) VALUES (?, ?, 0)').run(id, 'Another')
  db.close()
  return id
}

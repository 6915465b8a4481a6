import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { lockDataDirectory } from '../../src/store/data-directory.ts'
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { changeDatabase } from './change-database.ts'
import { createManualClock } from './manual-clock.ts'
import { clockOf, keepOneClock } from './one-clock.ts'
import type { StorePlace } from './open-store-reader.ts'
import { placeDatabase } from './sqlite/place-database.ts'

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
  placeDatabase(path)
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

/** Another organisation, without a person's account. The store may be open. */
export const addOrganisation = async (place: StorePlace): Promise<string> => {
  const id = newId('org')
  await changeDatabase(place, `INSERT INTO organisations (id, name, created_at) VALUES ('${id}', 'Another', 0)`)
  return id
}

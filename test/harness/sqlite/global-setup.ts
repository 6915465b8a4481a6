import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/store/sqlite/database/open-database.ts'
import { createManualClock } from '../manual-clock.ts'

/** Runs the migrations once for all servers of a run, which took half of the CPU time of each start. */
export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'helix-template-'))
  const file = join(folder, 'helix.db')
  // The last connection that closes copies the write-ahead log into the file.
  openDatabase({ file, backupDirectory: join(folder, 'backups'), now: createManualClock().now() }).close()
  // A variable, since processes that tests start open stores, too, and have nothing else from the run.
  process.env.HELIX_TEST_DATABASE = file
  return () => rmSync(folder, { recursive: true, force: true })
}

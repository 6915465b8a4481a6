import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createScratchDatabase } from '../../../test/harness/postgres/scratch-database.ts'
import { startedPostgres } from '../../../test/harness/postgres/started-postgres.ts'
import { createTextVacuum } from './text-vacuum.ts'

const postgres = await startedPostgres()

test.skipIf(postgres === null)(
  'tables with text are vacuumed a minute after the first deletion, together',
  async () => {
    if (postgres === null) return
    await using database = await createScratchDatabase(postgres.url, postgres.template)
    const clock = createManualClock()
    const vacuum = createTextVacuum({ url: database.url, after: clock.after })
    const client = new Client({ connectionString: database.url })
    await client.connect()
    const vacuumed = async (): Promise<number[]> => {
      const { rows } = await client.query<{ vacuum_count: string }>(
        "SELECT vacuum_count FROM pg_stat_user_tables WHERE relname IN ('stored_completions', 'replays')",
      )
      return rows.map((row) => Number(row.vacuum_count))
    }
    try {
      vacuum.deleted()
      vacuum.deleted()
      expect(clock.pending()).toBe(1)
      expect(await vacuumed()).toEqual([0, 0])
      clock.advance(60_000)
      while ((await vacuumed()).includes(0));
      expect(await vacuumed()).toEqual([1, 1])
    } finally {
      await vacuum.close()
      await client.end()
    }
  },
)

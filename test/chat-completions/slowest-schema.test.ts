import { test } from 'vitest'
import { schemaRuns, searchSlowestSchema, searchTimeoutMs } from '../harness/search-slowest-schema.ts'
import { startHelix } from '../harness/start-helix.ts'

test(
  'no schema of 4 KB holds up the requests of others',
  async () => {
    const helix = await startHelix({ answer: () => ['x'] })
    await searchSlowestSchema(helix, schemaRuns, 4_000)
  },
  searchTimeoutMs,
)

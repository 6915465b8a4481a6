import { test } from 'vitest'
import {
  asTool,
  manyRefusals,
  schemaRuns,
  searchSlowestSchema,
  searchTimeoutMs,
} from '../harness/search-slowest-schema.ts'
import { startHelix } from '../harness/start-helix.ts'

test(
  'no schema of 4 KB as the parameters of a tool exceeds the budget of the compiler',
  async () => {
    const helix = await startHelix({ answer: () => ['x'], config: manyRefusals })
    await searchSlowestSchema(helix, { count: schemaRuns / 2, bytes: 4_000, firstSeed: 11, fieldsOf: asTool })
  },
  searchTimeoutMs,
)

import { test } from 'vitest'
import {
  asResponseFormat,
  manyRefusals,
  schemaRuns,
  searchSlowestSchema,
  searchTimeoutMs,
} from '../harness/search-slowest-schema.ts'
import { startHelix } from '../harness/start-helix.ts'

test(
  'no schema of 500 KB exceeds the budget of the compiler',
  async () => {
    const helix = await startHelix({ answer: () => ['x'], config: manyRefusals })
    await searchSlowestSchema(helix, {
      count: Math.ceil(schemaRuns / 100),
      bytes: 500_000,
      firstSeed: 1,
      fieldsOf: asResponseFormat,
    })
  },
  searchTimeoutMs,
)

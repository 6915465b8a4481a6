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
  'no schema of 4 KB as a response format exceeds the budget of the compiler',
  async () => {
    const helix = await startHelix({ answer: () => ['x'], config: manyRefusals })
    await searchSlowestSchema(helix, { count: schemaRuns / 2, bytes: 4_000, firstSeed: 1, fieldsOf: asResponseFormat })
  },
  searchTimeoutMs,
)

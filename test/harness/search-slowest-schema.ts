import { expect } from 'vitest'
import { jsonSchemaGrammar, newGrammarBudget } from '../../src/grammar/json-schema-grammar.ts'
import { SchemaRefused } from '../../src/grammar/schema-refused.ts'
import { createRandom, type HostileSchema, mutate, randomSchema, schemaOf } from './hostile-schemas.ts'
import { type Helix, modelName } from './start-helix.ts'

/**
 * The number of 4 KB schemas to try, half as a response format and half as a tool; a hundredth as many of 500 KB.
 * `.ci/run` uses 20,000.
 */
export const schemaRuns = Number(process.env.HELIX_SCHEMA_RUNS ?? 200)
/** Most of them are refused, one after another. */
export const manyRefusals = { refusedRequestsPerMinute: 1_000_000, organisationRefusedRequestsPerMinute: 1_000_000 }

export const searchTimeoutMs = 60_000 + schemaRuns * 90

/** The most CPU that a request may cost the shared server thread, including the test's own sending and reading. */
const mainThreadLimitMs = 50
/** The compiler thread is terminated after ten seconds; no schema comes near that. */
const compileLimitMs = 5_000

const cpuMs = async (work: () => unknown): Promise<number> => {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

export const asResponseFormat = (schema: unknown) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
})

export const asTool = (schema: unknown) => ({
  tools: [{ type: 'function', function: { name: 'n', parameters: schema } }],
  tool_choice: 'required',
})

type FormatFields = typeof asResponseFormat | typeof asTool

const bodyOf = (fields: ReturnType<FormatFields>): string =>
  JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1, ...fields })

/** CPU of this thread for one request. Garbage collection may interfere, so an excessive value is measured again. */
const costOfRequest = async (helix: Helix, fields: ReturnType<FormatFields>): Promise<number> => {
  const body = bodyOf(fields)
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 4 && least > mainThreadLimitMs; tries += 1) {
    const cost = await cpuMs(async () => {
      const response = await helix.post(body)
      expect([200, 400]).toContain(response.status)
      await response.arrayBuffer()
    })
    least = Math.min(least, cost)
  }
  return least
}

/** The search's objective: the budget that a schema uses. The same in every run. */
const workOf = (schema: unknown): number => {
  const [full, budget] = [newGrammarBudget(), newGrammarBudget()]
  try {
    jsonSchemaGrammar(schema, { strict: false, budget })
  } catch (error) {
    if (!(error instanceof SchemaRefused || error instanceof RangeError)) throw error
  }
  return full.steps - budget.steps + 10 * (full.parts - budget.parts)
}

type Search = { count: number; bytes: number; firstSeed: number; fieldsOf: FormatFields }

/**
 * Searches for the most expensive schema of this size by hill climbing from several starts, and checks every schema on
 * the way against the limits.
 */
export const searchSlowestSchema = async (
  helix: Helix,
  { count, bytes, firstSeed, fieldsOf }: Search,
): Promise<void> => {
  const perSeed = Math.ceil(count / 10)
  for (let tried = 0, seed = firstSeed; tried < count; seed += 1) {
    const random = createRandom(seed)
    let best: { schema: HostileSchema; work: number } | null = null
    for (let step = 0; step < perSeed && tried < count; step += 1, tried += 1) {
      const candidate: HostileSchema = best === null ? randomSchema(random, bytes) : mutate(best.schema, random)
      const schema = schemaOf(candidate, createRandom(seed))
      let work = 0
      const compileMs = await cpuMs(() => {
        work = workOf(schema)
      })
      const mainThreadMs = await costOfRequest(helix, fieldsOf(schema))
      const context = JSON.stringify({ seed, step, motifs: candidate.motifs })
      expect(compileMs, context).toBeLessThan(compileLimitMs)
      expect(mainThreadMs, context).toBeLessThan(mainThreadLimitMs)
      if (best === null || work > best.work) best = { schema: candidate, work }
    }
  }
}

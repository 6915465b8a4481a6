import { expect } from 'vitest'
import { newGrammarBudget } from '../../src/grammar/grammar-rules.ts'
import { jsonSchemaGrammar } from '../../src/grammar/json-schema-grammar.ts'
import { SchemaRefused } from '../../src/grammar/schema-refused.ts'
import { createRandom, type HostileSchema, mutate, randomSchema, schemaOf } from './hostile-schemas.ts'
import { type Helix, modelName } from './start-helix.ts'

/**
 * The number of 4 KB schemas to try, half as a response format and half as a tool; a hundredth as many of 500 KB.
 * `.ci/run` uses 10,000.
 */
export const schemaRuns = Number(process.env.HELIX_SCHEMA_RUNS ?? 60)
/** Most of them are refused, one after another. */
export const manyRefusals = { refusedRequestsPerMinute: 1_000_000, organisationRefusedRequestsPerMinute: 1_000_000 }

/** Only against a test that hangs: how long it takes depends on what else the machine does. */
export const searchTimeoutMs = 600_000 + schemaRuns * 200

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

/** Whether it can be compiled or not, the request gets an answer. */
const expectAnswer = async (helix: Helix, fields: ReturnType<FormatFields>, context: string): Promise<void> => {
  const response = await helix.post(bodyOf(fields))
  expect([200, 400], context).toContain(response.status)
  await response.arrayBuffer()
}

/**
 * The search's objective: the budget that a schema uses, which is the same in every run. It bounds the time on the thread of
 * the compiler, and the size of what the shared server thread receives of it.
 */
const workOf = (schema: unknown, context: string): number => {
  const [full, budget] = [newGrammarBudget(), newGrammarBudget()]
  let isRefused = false
  try {
    jsonSchemaGrammar(schema, { strict: false, budget })
  } catch (error) {
    if (!(error instanceof SchemaRefused || error instanceof RangeError)) throw error
    isRefused = true
  }
  const used = { steps: full.steps - budget.steps, parts: full.parts - budget.parts }
  // What is too much is counted before it is done, in one sum that may be far above the budget.
  expect(isRefused || (used.steps <= full.steps && used.parts <= full.parts), context).toBe(true)
  return used.steps + 10 * used.parts
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
      const context = JSON.stringify({ seed, step, motifs: candidate.motifs })
      const work = workOf(schema, context)
      await expectAnswer(helix, fieldsOf(schema), context)
      if (best === null || work > best.work) best = { schema: candidate, work }
    }
  }
}

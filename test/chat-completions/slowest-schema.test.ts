import { beforeAll, expect, test } from 'vitest'
import { jsonSchemaGrammar, newGrammarBudget } from '../../src/grammar/json-schema-grammar.ts'
import { SchemaRefused } from '../../src/grammar/schema-refused.ts'
import { createRandom, type HostileSchema, mutate, randomSchema, schemaOf } from '../harness/hostile-schemas.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

/** Schemas of 4 KB, and a hundredth of it of 500 KB. `.ci/run` has 20,000. */
const runs = Number(process.env.HELIX_SCHEMA_RUNS ?? 200)
const limitMs = 60_000 + runs * 60

/** The most that one request may cost the thread that serves all others, the test's own sending and reading included. */
const mainThreadLimitMs = 50
/** The thread that compiles is ended after ten seconds; nothing comes near. */
const compileLimitMs = 5_000

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ answer: () => ['x'] })
  return helix.close
})

const cpuMs = async (work: () => unknown): Promise<number> => {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const bodyOf = (schema: unknown): string =>
  JSON.stringify({
    model: modelName,
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 1,
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
  })

/** CPU of this thread for one request. The collector of garbage may run meanwhile, so what is too much is measured again. */
const costOfRequest = async (schema: unknown): Promise<number> => {
  const body = bodyOf(schema)
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

/** What the search looks for: the budget that a schema uses up. The same in every run. */
const workOf = (schema: unknown): number => {
  const [full, budget] = [newGrammarBudget(), newGrammarBudget()]
  try {
    jsonSchemaGrammar(schema, { strict: false, budget })
  } catch (error) {
    if (!(error instanceof SchemaRefused || error instanceof RangeError)) throw error
  }
  return full.steps - budget.steps + 10 * (full.parts - budget.parts)
}

/** Climbs from several beginnings, and measures everything on the way. */
const search = async (count: number, bytes: number): Promise<void> => {
  const perSeed = Math.ceil(count / 10)
  for (let tried = 0, seed = 1; tried < count; seed += 1) {
    const random = createRandom(seed)
    let best: { schema: HostileSchema; work: number } | null = null
    for (let step = 0; step < perSeed && tried < count; step += 1, tried += 1) {
      const candidate: HostileSchema = best === null ? randomSchema(random, bytes) : mutate(best.schema, random)
      const schema = schemaOf(candidate, createRandom(seed))
      let work = 0
      const compileMs = await cpuMs(() => {
        work = workOf(schema)
      })
      const mainThreadMs = await costOfRequest(schema)
      const context = JSON.stringify({ seed, step, motifs: candidate.motifs })
      expect(compileMs, context).toBeLessThan(compileLimitMs)
      expect(mainThreadMs, context).toBeLessThan(mainThreadLimitMs)
      if (best === null || work > best.work) best = { schema: candidate, work }
    }
  }
}

test('no schema of 4 KB holds up the requests of others', () => search(runs, 4_000), limitMs)

test('no schema of 500 KB does either', () => search(Math.ceil(runs / 100), 500_000), limitMs)

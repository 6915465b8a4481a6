import { beforeAll, expect, test } from 'vitest'
import { askBothWays, readCompletion } from '../harness/ask-both-ways.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readChunks } from '../harness/read-events.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

test('an answer at its limit has exactly that many tokens and finish_reason length', async () => {
  for (const field of ['max_tokens', 'max_completion_tokens'])
    for (const limit of [1, 2, 3]) {
      const { choices, usage } = await askBothWays(helix, { [field]: limit })
      expect(choices[0]?.finish_reason).toBe('length')
      expect(usage.completion_tokens).toBe(limit)
    }
  const whole = await askBothWays(helix, { max_tokens: 5 })
  expect(whole.choices[0]?.finish_reason).toBe('stop')
  expect(whole.usage.completion_tokens).toBe(4)
})

test('the total is the sum of prompt and completion, with both kinds of details', async () => {
  const { usage } = await askBothWays(helix, { messages: [{ role: 'user', content: 'x'.repeat(100) }] })
  expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)
  expect(usage.prompt_tokens_details.cached_tokens).toBeLessThanOrEqual(usage.prompt_tokens)
  expect(usage).toHaveProperty('completion_tokens_details.reasoning_tokens', 0)
})

test('ids begin with chatcmpl- and are unique', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, async () => readCompletion(await helix.chat({}))))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(20)
  for (const { id } of answers) expect(id).toMatch(/^chatcmpl-\w{24}$/)
})

test('created is the time of the response, in whole seconds', async () => {
  const clock = createManualClock(Date.UTC(2001, 0, 1, 0, 0, 0, 999))
  const timed = await startHelix({ clock })
  expect((await readCompletion(await timed.chat({}))).created).toBe(Date.UTC(2001) / 1000)
  clock.advance(1)
  for (const chunk of await readChunks(await timed.chat({ stream: true })))
    expect(chunk.created).toBe(Date.UTC(2001) / 1000 + 1)
})

test('the same seed gives the same text and fingerprint, another seed gives another text', async () => {
  const seeded = await startHelix({ answer: (_, { seed, temperature }) => [`${seed} at ${temperature}`] })
  const ask = async (seed: number) => askBothWays(seeded, { seed, temperature: 1 })
  const [first, again, other] = [await ask(42), await ask(42), await ask(43)]
  expect(again.choices).toEqual(first.choices)
  expect(again.system_fingerprint).toBe(first.system_fingerprint)
  expect(first.system_fingerprint).toMatch(/^fp_[0-9a-f]{10}$/)
  expect(other.choices).not.toEqual(first.choices)
})

test('the fingerprint changes with the model', async () => {
  const { system_fingerprint: own } = await readCompletion(await helix.chat({}))
  const newer = await startHelix({ engine: { model: { created: 1_800_000_000 } } })
  expect((await readCompletion(await newer.chat({}))).system_fingerprint).not.toBe(own)
})

test.each(['auto', 'default', null, 'flex', 'priority'])('service_tier %s is reported as default', async (tier) => {
  const completion = await readCompletion(await helix.chat({ service_tier: tier }))
  expect(completion).toMatchObject({ service_tier: 'default' })
  for (const chunk of await readChunks(await helix.chat({ service_tier: tier, stream: true })))
    expect(chunk).toMatchObject({ service_tier: 'default' })
})

test('the model of a response is the served one, which has no aliases', async () => {
  expect((await readCompletion(await helix.chat({}))).model).toBe(modelName)
  for (const { model } of await readChunks(await helix.chat({ stream: true }))) expect(model).toBe(modelName)
  for (const model of [modelName.toUpperCase(), `${modelName}-latest`, `${modelName} `])
    expect((await helix.chat({ model })).status).toBe(404)
})

test('metadata is returned with the response, and without it there is no such key', async () => {
  const metadata = { topic: '天気', empty: '' }
  expect(await readCompletion(await helix.chat({ metadata }))).toMatchObject({ metadata })
  expect(await readCompletion(await helix.chat({}))).not.toHaveProperty('metadata')
})

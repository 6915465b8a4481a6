/** What the model card of helix-v1 says about tools, long prompts and schemas, asked through the API: `checks.json` is part of the model. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openEmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { readModel } from '../../src/engine/model-folder.ts'
import { engineThreads } from '../harness/engine-threads.ts'
import { isFullGrid } from '../harness/grid.ts'
import { repository } from '../harness/run-program.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

type Place = { filler: string; sentence: string; question: string; answer: string }
type Checks = {
  tools: {
    user: string
    tools: object[]
    tool_choice: string
    call: Record<string, Record<string, string>> | null
  }[]
  after_result: { messages: object[]; tools: object[]; answer_names: string[] }
  needles: { en: Place; ja: Place }
}
const folder = join(repository, 'models/helix-v1')
const checks: Checks = JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8'))

let helix: Helix
beforeAll(async () => {
  const engine = openEmbeddedEngine({
    ...{ modelFiles: await readModel(folder), slots: 2, threads: engineThreads, clock: systemClock },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    workerPath: join(repository, 'src/engine-process.ts'),
  })
  await engine.firstLoad
  helix = await openHelix({ startEngine: () => engine })
  return helix.close
})

type Call = { function: { name: string; arguments: string } }
type Completion = {
  choices: { finish_reason: string; message: { content: string | null; tool_calls?: Call[] } }[]
  usage: { prompt_tokens: number }
}
const ask = async (body: Record<string, unknown>) => {
  const response = await helix.chat({ temperature: 0, max_tokens: 200, ...body })
  const completion = (await response.json()) as Completion
  const [{ message, finish_reason: reason } = { message: { content: null }, finish_reason: '' }] = completion.choices
  return { content: message.content ?? '', calls: message.tool_calls ?? [], reason, usage: completion.usage }
}
const toolsText = ({ tools }: Checks['tools'][number]): string => JSON.stringify(tools)
/** On one thread of a machine that other tests keep busy, prompts of thousands of tokens take minutes. */
const busy = { timeout: 600_000 }
const user = (content: string) => [{ role: 'user', content }]

/** Those with the same tools follow each other, so that most of each prompt is in the cache already. */
const requests = checks.tools.toSorted((one, other) => toolsText(one).localeCompare(toolsText(other)))

test('14 of 14 requests with tools are handled as they should be, in English and Japanese', busy, async () => {
  expect(requests).toHaveLength(14)
  const handled = []
  for (const { user: asked, call: _, ...options } of requests) {
    const { calls, content, reason } = await ask({ messages: user(asked), ...options })
    const made = calls.map(({ function: { name, arguments: text } }) => ({ [name]: JSON.parse(text) }))
    handled.push({ asked, made, isAnswered: calls.length > 0 ? reason === 'tool_calls' : content !== '' })
  }
  expect(handled).toEqual(
    requests.map(({ user: asked, call }) => ({ asked, made: call === null ? [] : [call], isAnswered: true })),
  )
})

test('the answer after the result of a tool says what the tool has said', busy, async () => {
  const { messages, tools, answer_names: names } = checks.after_result
  const { content, calls } = await ask({ messages, tools })
  expect(calls).toEqual([])
  for (const name of names) expect(content).toContain(name)
})

/**
 * Longest first, so that part of each prompt is in the cache already. Even so they take two minutes of CPU time: unless it is
 * the full grid, one in each language stands for all.
 */
const places = [70, 34].flatMap((fillers) => [0.7, 0.2].map((position) => ({ fillers, position })))
const tried = isFullGrid ? places : places.slice(2, 3)

const isFound = async (
  { filler, sentence, question, answer }: Place,
  { fillers, position }: { fillers: number; position: number },
): Promise<boolean> => {
  const before = Math.floor(fillers * position)
  const text = `${filler.repeat(before)}${sentence}${filler.repeat(fillers - before)}\n\n${question}`
  const { content, usage } = await ask({ messages: user(text), max_tokens: 60 })
  expect(usage.prompt_tokens).toBeGreaterThan(fillers * 40)
  expect(usage.prompt_tokens).toBeLessThan(fillers * 52)
  return content.includes(answer)
}

test('a sentence is found in 1,600 and 3,200 tokens of others, in at least 6 of 8 tries', busy, async () => {
  const missed: string[] = []
  for (const place of [checks.needles.en, checks.needles.ja])
    for (const where of tried)
      if (!(await isFound(place, where))) missed.push(`${place.answer}: ${JSON.stringify(where)}`)
  expect(missed.length, missed.join()).toBeLessThanOrEqual(isFullGrid ? 2 : 0)
})

const object = (properties: object) => ({
  ...{ type: 'object', additionalProperties: false },
  ...{ properties, required: Object.keys(properties) },
})
test.each([
  [
    'a product',
    'Extract the data from: "colour green, size 34, city Rome".',
    object({ colour: { enum: ['green', 'red', 'blue'] }, size: { type: 'integer' }, city: { type: 'string' } }),
    { colour: 'green', size: 34, city: 'Rome' },
  ],
  [
    'a list',
    '春の花を三つ挙げてください。',
    object({ flowers: { type: 'array', items: { type: 'string', maxLength: 12 }, minItems: 3, maxItems: 3 } }),
    { flowers: [expect.any(String), expect.any(String), expect.any(String)] },
  ],
  [
    'a nested object',
    'Anna is 31 years old and lives in Berlin, Germany.',
    object({ name: { type: 'string' }, age: { type: 'integer' }, home: object({ city: { type: 'string' } }) }),
    { name: expect.stringContaining('Anna'), age: 31, home: { city: expect.stringContaining('Berlin') } },
  ],
])('a JSON schema holds: %s', async (name, question, schema, expected) => {
  const response_format = {
    type: 'json_schema',
    json_schema: { name: name.replaceAll(' ', '_'), strict: true, schema },
  }
  const { content, reason } = await ask({ messages: user(question), response_format })
  expect({ reason, said: JSON.parse(content) }).toEqual({ reason: 'stop', said: expected })
})

import { fileURLToPath } from 'node:url'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, Output, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../src/base/clock.ts'
import { openEmbeddedEngine } from '../src/engine/embedded/embedded-engine.ts'
import { readModel } from '../src/engine/model-folder.ts'
import { engineThreads } from '../test/harness/engine-threads.ts'
import { modelName, openHelix } from '../test/harness/start-helix.ts'
import { asking, openService } from './open-service.ts'
import { weatherArguments } from './sample-schemas.ts'

/** The same clients with the real model: its text varies, so the tests check only the form. */
const service = openService(async () => {
  const modelFiles = await readModel(fileURLToPath(new URL('../models/helix-v1', import.meta.url)))
  const engine = openEmbeddedEngine({
    modelFiles,
    slots: 2,
    threads: engineThreads,
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    workerPath: fileURLToPath(new URL('../src/engine-process.ts', import.meta.url)),
  })
  const helix = await openHelix({ startEngine: () => engine })
  expect(await engine.firstLoad).toEqual({ outcome: 'ready' })
  return helix
})

const completions = () => {
  const { baseUrl: baseURL, key: apiKey } = service.helix
  return new OpenAI({ baseURL, apiKey, maxRetries: 0, fetch: service.fetch }).chat.completions
}
const short = { max_completion_tokens: 12, temperature: 0, seed: 1 }
const person = z.object({
  name: z.string().max(12),
  home: z.object({ city: z.enum(['Tokyo', 'Paris']), years: z.int().min(0).max(99) }),
})
const question = 'What is the capital of France?'

test('openai: an answer, and the same answer as a stream', async () => {
  const whole = await completions().create({ ...asking(question), ...short })
  const content = whole.choices[0]?.message.content ?? ''
  expect(content).toMatch(/\S/)
  expect(whole.usage?.completion_tokens).toBeLessThanOrEqual(12)
  const stream = completions().stream({ ...asking(question), ...short, stream_options: { include_usage: true } })
  expect(await stream.finalContent()).toBe(content)
  expect((await stream.totalUsage()).completion_tokens).toBe(whole.usage?.completion_tokens)
})

test('openai: a call, our function, and an answer', async () => {
  const asked: string[] = []
  const getWeather = zodFunction({
    name: 'get_weather',
    description: 'Tells the weather of a city',
    parameters: weatherArguments.extend({ city: z.enum(['Kyoto', 'Paris']) }),
    function: ({ city }) => {
      asked.push(city)
      return `It is sunny in ${city}.`
    },
  })
  const tools = [getWeather]
  const first = { ...asking('How is the weather in Kyoto?'), temperature: 0, parallel_tool_calls: false, tools }
  const runner = completions().runTools(
    { ...first, tool_choice: 'required', max_completion_tokens: 60 },
    { maxChatCompletions: 1 },
  )
  await runner.done()
  expect(asked).toEqual([expect.stringMatching(/^(Kyoto|Paris)$/)])
  const answered = await completions().create({ ...first, ...short, messages: runner.messages, tool_choice: 'none' })
  expect(answered.choices[0]?.message.content).toMatch(/\S/)
})

test('openai: an object of a nested schema', async () => {
  const { choices } = await completions().parse({
    ...asking('Invent a person. Answer in JSON.'),
    response_format: zodResponseFormat(person, 'person'),
    temperature: 0,
    max_completion_tokens: 100,
  })
  person.parse(choices[0]?.message.parsed)
})

test('openai: logprobs that add up to the answer', async () => {
  const asked = { ...asking('日本の首都はどこですか。'), ...short, logprobs: true, top_logprobs: 2 }
  const [choice] = (await completions().create(asked)).choices
  const told = choice?.logprobs?.content ?? []
  const bytes = Buffer.from(told.flatMap((token) => token.bytes ?? []))
  expect(bytes.toString().startsWith(choice?.message.content ?? 'nothing')).toBe(true)
  for (const { token, logprob, top_logprobs: top } of told) {
    expect(logprob).toBeLessThanOrEqual(0)
    expect(top).toHaveLength(2)
    expect(top[0]).toMatchObject({ token, logprob })
  }
})

const model = () => {
  const { baseUrl: baseURL, key: apiKey } = service.helix
  const options = { includeUsage: true, supportsStructuredOutputs: true, fetch: service.fetch }
  return createOpenAICompatible({ name: 'helix', baseURL, apiKey, ...options })(modelName)
}

test('AI SDK: an answer, and the same answer as a stream', async () => {
  const asked = { model: model(), prompt: question, temperature: 0, seed: 1, maxOutputTokens: 12 }
  const { text } = await generateText(asked)
  expect(text).toMatch(/\S/)
  expect(await streamText(asked).text).toBe(text)
})

test('AI SDK: a call, our function, and an answer', async () => {
  const getWeather = tool({
    description: 'Tells the weather of a city',
    inputSchema: z.object({ city: z.enum(['Kyoto', 'Paris']) }),
    execute: async ({ city }) => `It is sunny in ${city}.`,
  })
  const { steps } = await generateText({
    model: model(),
    prompt: 'How is the weather in Kyoto?',
    tools: { get_weather: getWeather },
    temperature: 0,
    maxOutputTokens: 60,
    stopWhen: isStepCount(2),
    prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? 'required' : 'none' }),
    providerOptions: { helix: { parallel_tool_calls: false } },
  })
  expect(steps[0]?.toolResults).toHaveLength(1)
  expect(steps[1]?.text).toMatch(/\S/)
})

test('AI SDK: an object of a nested schema, streamed', async () => {
  const asked = { model: model(), prompt: 'Invent a person. Answer in JSON.', temperature: 0, maxOutputTokens: 100 }
  person.parse(await streamText({ ...asked, output: Output.object({ schema: person }) }).output)
})

test('a function without parameters is called with none, as hand-offs between agents need it', async () => {
  const parameters = { type: 'object', properties: {}, required: [] }
  const transfer = { name: 'transfer_to_sales', description: 'Transfers to the sales agent.', parameters }
  const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: transfer }]
  for (const seed of [1, 2, 3, 4]) {
    const asked = { ...asking('I want to buy something.'), max_completion_tokens: 60, seed, tools }
    const { choices } = await completions().create({ ...asked, tool_choice: 'required', parallel_tool_calls: false })
    const [call] = choices[0]?.message.tool_calls ?? []
    expect(call).toMatchObject({ function: { name: 'transfer_to_sales' } })
    expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '')).toEqual({})
  }
})

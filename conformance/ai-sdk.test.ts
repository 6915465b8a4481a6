import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  AISDKError,
  APICallError,
  generateObject,
  generateText,
  isStepCount,
  NoObjectGeneratedError,
  Output,
  RetryError,
  streamObject,
  streamText,
  tool,
} from 'ai'
import { expect, test } from 'vitest'
import { modelName } from '../test/harness/start-helix.ts'
import { failure, openService } from './open-service.ts'
import { sampleSchemas, weatherArguments } from './sample-schemas.ts'

const service = openService()
const model = (apiKey = service.helix.key) =>
  createOpenAICompatible({
    name: 'helix',
    baseURL: service.helix.baseUrl,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: service.fetch,
  })(modelName)
const asking = (prompt: string) => ({ model: model(), prompt, maxRetries: 0 })
/** The SDK also writes errors to the console unless a handler is set. */
const quietly = { onError: () => {} }

test('generateText: an answer with its usage and why it ended', async () => {
  const { text, finishReason, usage, response } = await generateText(asking('Hi'))
  expect(text).toBe('Hello, world!')
  expect(finishReason).toBe('stop')
  expect(usage).toMatchObject({ inputTokens: 2, outputTokens: 4, totalTokens: 6 })
  expect(response).toMatchObject({ id: expect.stringMatching(/^chatcmpl-/), modelId: modelName })
  expect(response.headers?.['x-request-id']).toMatch(/^req_/)
})

test('streamText: pieces, then usage', async () => {
  const { textStream, usage, finishReason } = streamText(asking('Hi'))
  expect(await Array.fromAsync(textStream)).toEqual(['Hello', ', ', 'world', '!'])
  expect(await usage).toMatchObject({ inputTokens: 2, outputTokens: 4, totalTokens: 6 })
  expect(await finishReason).toBe('stop')
})

test('Japanese and emoji arrive whole, streamed or not', async () => {
  const whole = (await generateText(asking('日本語で'))).text
  expect(whole).toBe('日本語と👩‍👩‍👧‍👦と🇯🇵。')
  expect(await streamText(asking('日本語で')).text).toBe(whole)
})

test('a limit of tokens ends the answer with length', async () => {
  const { text, finishReason } = await generateText({ ...asking('endless'), maxOutputTokens: 3 })
  expect(text).toBe('word0 word1 word2 ')
  expect(finishReason).toBe('length')
})

test('system words, stop words and sampling settings are taken', async () => {
  const settings = { temperature: 0.5, topP: 0.9, seed: 7, presencePenalty: 0.1, frequencyPenalty: 0.1 }
  const { text } = await generateText({
    ...asking('Hi'),
    ...settings,
    instructions: 'Be brief',
    stopSequences: [', w'],
  })
  expect(text).toBe('Hello')
})

test('a signal in the middle of a stream frees the engine', async () => {
  const leaving = new AbortController()
  const { fullStream } = streamText({ ...asking('endless'), abortSignal: leaving.signal })
  const ends: string[] = []
  for await (const { type } of fullStream) {
    ends.push(type)
    if (type === 'text-delta') leaving.abort()
  }
  expect(ends.at(-1)).toBe('abort')
  await service.engineFreed()
})

const toolsNoting = (asked: string[]) => ({
  get_weather: tool({
    description: 'Tells the weather',
    inputSchema: weatherArguments,
    execute: async ({ city }) => {
      asked.push(city)
      return `sunny in ${city}`
    },
  }),
})

test.each([
  ['one call', ['Kyoto']],
  ['two calls at once', ['Kyoto', '東京']],
])('tools: %s, our function, and the answer, streamed or not', async (_, cities) => {
  const asked: string[] = []
  const call = {
    ...asking(`weather ${cities.join(' ')}`),
    tools: toolsNoting(asked),
    stopWhen: isStepCount(3),
  }
  const answer = `The tool said: sunny in ${cities.at(-1)}.`
  const whole = await generateText(call)
  expect(whole.text).toBe(answer)
  expect(whole.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
  expect(whole.steps[0]?.toolCalls.map(({ input }) => input)).toEqual(cities.map((city) => ({ city })))
  const streamed = streamText(call)
  expect(await streamed.text).toBe(answer)
  expect((await streamed.steps)[0]?.toolCalls.map(({ input }) => input)).toEqual(cities.map((city) => ({ city })))
  expect(asked).toEqual([...cities, ...cities])
})

test('a choice of tools is kept to', async () => {
  const tools = toolsNoting([])
  const named = { type: 'tool', toolName: 'get_weather' } as const
  for (const toolChoice of ['required', named] as const) {
    const { toolCalls } = await generateText({ ...asking('Hi'), tools, toolChoice })
    expect(toolCalls.length).toBeGreaterThan(0)
  }
  for (const toolChoice of ['auto', 'none'] as const) {
    const { text, toolCalls } = await generateText({ ...asking('Hi'), tools, toolChoice })
    expect([text, toolCalls]).toEqual(['Hello, world!', []])
  }
})

test.each(Object.entries(sampleSchemas))('an object of the schema, streamed or not: %s', async (_, schema) => {
  const asked = asking('Answer in JSON')
  schema.parse((await generateText({ ...asked, output: Output.object({ schema }) })).output)
  schema.parse(await streamText({ ...asked, output: Output.object({ schema }) }).output)
  schema.parse((await generateObject({ ...asked, schema })).object)
  // The SDK reads nothing of the answer until the pieces are requested.
  const { partialObjectStream, object } = streamObject({ ...asked, schema })
  expect((await Array.fromAsync(partialObjectStream)).at(-1)).toEqual(schema.parse(await object))
})

test('lists, words of a set and free JSON as the output', async () => {
  const asked = asking('Answer in JSON')
  const element = sampleSchemas.choices
  const { output: list } = await generateText({ ...asked, output: Output.array({ element }) })
  for (const one of list) element.parse(one)
  const streamed = streamText({ ...asked, output: Output.array({ element }) })
  for await (const one of streamed.elementStream) element.parse(one)
  const { output: word } = await generateText({ ...asked, output: Output.choice({ options: ['calm', 'busy'] }) })
  expect(['calm', 'busy']).toContain(word)
  expect((await generateText({ ...asked, output: Output.json() })).output).toBeTypeOf('object')
})

test('an object that was cut off is a NoObjectGeneratedError', async () => {
  const cut = { ...asking('Answer in JSON'), schema: sampleSchemas.nested, maxOutputTokens: 2 }
  const error = await failure(generateObject(cut))
  expect(error).toBeInstanceOf(NoObjectGeneratedError)
  expect(error).toMatchObject({ finishReason: 'length' })
})

test('errors are APICallErrors with the status and the words of the server', async () => {
  const wrong = await failure(generateText({ ...asking('Hi'), temperature: 3 }))
  expect(wrong).toBeInstanceOf(APICallError)
  expect(wrong).toMatchObject({
    statusCode: 400,
    isRetryable: false,
    data: { error: { type: 'invalid_request_error', param: 'temperature', code: 'decimal_above_max_value' } },
  })
  const stranger = { ...asking('Hi'), model: model('sk-1234567890123456789') }
  expect(await failure(generateText(stranger))).toMatchObject({
    statusCode: 401,
    data: { error: { code: 'invalid_api_key' } },
  })
  const streamed = streamText({ ...asking('Hi'), temperature: 3, ...quietly })
  const parts = await Array.fromAsync(streamed.fullStream)
  expect(parts.find(({ type }) => type === 'error')).toMatchObject({ error: { statusCode: 400 } })
})

test('an answer that breaks off is an error, and what came before it was told', async () => {
  const { fullStream } = streamText({ ...asking('break'), ...quietly })
  const parts = await Array.fromAsync(fullStream)
  const heard = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []))
  expect(heard.join('')).toBe('Half an answer')
  expect(parts.some(({ type }) => type === 'error')).toBe(true)
  expect(await failure(generateText(asking('break')))).toMatchObject({ statusCode: 500 })
})

test('a client that is put off comes again by itself, unless it was told not to', async () => {
  expect((await generateText({ ...asking('flaky, patient'), maxRetries: 2 })).text).toBe('Hello, world!')
  expect(await streamText({ ...asking('flaky, streamed'), maxRetries: 2 }).text).toBe('Hello, world!')
  const error = await failure(generateText(asking('flaky, in a hurry')))
  expect(error).toBeInstanceOf(AISDKError)
  expect(error).not.toBeInstanceOf(RetryError)
  expect(error).toMatchObject({ statusCode: 503, isRetryable: true })
})

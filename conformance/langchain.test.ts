import { AIMessage, type AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai'
import { expect, test } from 'vitest'
import { modelName } from '../test/harness/start-helix.ts'
import { failure, openService } from './open-service.ts'
import { sampleSchemas, weatherArguments } from './sample-schemas.ts'

const service = openService()
const chat = (fields: ChatOpenAIFields = {}) =>
  new ChatOpenAI({
    model: modelName,
    apiKey: service.helix.key,
    maxRetries: 0,
    configuration: { baseURL: service.helix.baseUrl, fetch: service.fetch },
    ...fields,
  })

/** All pieces of a stream, joined with the client's own functions. */
const gather = async (pieces: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> =>
  (await Array.fromAsync(pieces)).reduce((whole, piece) => whole.concat(piece))

test('invoke: an answer with its usage', async () => {
  const message = await chat().invoke('Hi')
  expect(message.content).toBe('Hello, world!')
  expect(message.usage_metadata).toMatchObject({ input_tokens: 2, output_tokens: 4, total_tokens: 6 })
  expect(message.response_metadata).toMatchObject({ finish_reason: 'stop', model_name: modelName })
})

test('stream: pieces, then usage', async () => {
  const message = await gather(await chat().stream('Hi'))
  expect(message.content).toBe('Hello, world!')
  expect(message.usage_metadata).toMatchObject({ input_tokens: 2, output_tokens: 4, total_tokens: 6 })
})

test('batch: several questions at once keep their answers', async () => {
  const answers = await chat().batch(['Hi', '日本語で', 'Hi'])
  expect(answers.map(({ content }) => content)).toEqual(['Hello, world!', '日本語と👩‍👩‍👧‍👦と🇯🇵。', 'Hello, world!'])
})

test('Japanese and emoji arrive whole when streamed', async () => {
  expect((await gather(await chat().stream('日本語で'))).content).toBe('日本語と👩‍👩‍👧‍👦と🇯🇵。')
})

test('logprobs: each token with its likely alternatives', async () => {
  const message = await chat({ logprobs: true, topLogprobs: 2 }).invoke('Hi')
  expect(message.response_metadata.logprobs).toMatchObject({
    content: ['Hello', ', ', 'world', '!'].map((token) => ({ token, top_logprobs: [{ token }, { token: 'other1' }] })),
  })
})

test('two choices are two answers', async () => {
  const { generations } = await chat({ n: 2 }).generate([[new HumanMessage('Hi')]])
  expect(generations[0]?.map(({ text }) => text)).toEqual(['Hello, world!', 'Hello, world!'])
})

test('a limit of tokens, stop words and sampling settings are taken', async () => {
  const limited = await chat({ maxTokens: 3 }).invoke('endless')
  expect(limited.content).toBe('word0 word1 word2 ')
  expect(limited.response_metadata).toMatchObject({ finish_reason: 'length' })
  const settings = { temperature: 0.5, topP: 0.9, presencePenalty: 0.1, frequencyPenalty: 0.1, stop: [', w'] }
  const messages = [new SystemMessage('Be brief'), new HumanMessage([{ type: 'text', text: 'Hi' }])]
  expect((await chat(settings).invoke(messages)).content).toBe('Hello')
})

test('a reader who leaves the stream frees the engine', async () => {
  const leaving = new AbortController()
  const stream = await chat().stream('endless', { signal: leaving.signal })
  const reading = async () => {
    for await (const { content } of stream) if (content === 'word5 ') leaving.abort()
  }
  expect(await failure(reading())).toMatchObject({ message: expect.stringMatching(/abort/i) })
  await service.engineFreed()
})

const getWeather = tool(({ city }) => `sunny in ${city}`, {
  name: 'get_weather',
  description: 'Tells the weather',
  schema: weatherArguments,
})

test.each([
  ['one call', ['Kyoto']],
  ['two calls at once', ['Kyoto', '東京']],
])('tools: %s, our function, and the answer, streamed or not', async (_, cities) => {
  const withTools = chat().bindTools([getWeather])
  const question = new HumanMessage(`weather ${cities.join(' ')}`)
  const whole = await withTools.invoke([question])
  const streamed = await gather(await withTools.stream([question]))
  for (const called of [whole, streamed]) {
    expect(called.tool_calls?.map(({ name, args }) => [name, args])).toEqual(
      cities.map((city) => ['get_weather', { city }]),
    )
    const results: ToolMessage[] = []
    for (const call of called.tool_calls ?? []) results.push(await getWeather.invoke({ ...call, type: 'tool_call' }))
    const history = [question, called, ...results]
    expect((await withTools.invoke(history)).content).toBe(`The tool said: sunny in ${cities.at(-1)}.`)
  }
})

test('a choice of tools is kept to', async () => {
  for (const tool_choice of ['required', 'any', 'get_weather']) {
    const message = await chat().bindTools([getWeather], { tool_choice }).invoke('Hi')
    for (const { args } of message.tool_calls ?? []) weatherArguments.parse(args)
    expect(message.tool_calls?.length).toBeGreaterThan(0)
  }
  const free = await chat().bindTools([getWeather], { tool_choice: 'none' }).invoke('Hi')
  expect([free.content, free.tool_calls]).toEqual(['Hello, world!', []])
})

test('a conversation with calls in its past is taken up', async () => {
  const calls = [{ id: 'call_from_elsewhere', name: 'get_weather', args: { city: 'Kyoto' } }]
  const past = [
    new HumanMessage('weather Kyoto'),
    new AIMessage({ content: '', tool_calls: calls }),
    new ToolMessage({ content: 'sunny', tool_call_id: 'call_from_elsewhere' }),
    new AIMessage('It is sunny.'),
    new HumanMessage('Hi'),
  ]
  expect((await chat().invoke(past)).content).toBe('Hello, world!')
})

test.each(Object.entries(sampleSchemas))('withStructuredOutput: an object of the schema: %s', async (_, schema) => {
  for (const method of ['jsonSchema', 'functionCalling'] as const) {
    const structured = chat().withStructuredOutput(schema, { name: 'answer', method, strict: true })
    schema.parse(await structured.invoke('Answer in JSON'))
    schema.parse((await Array.fromAsync(await structured.stream('Answer in JSON'))).at(-1))
  }
})

test('errors have the status, the code and the param of the server', async () => {
  expect(await failure(chat({ temperature: 3 }).invoke('Hi'))).toMatchObject({
    status: 400,
    param: 'temperature',
    code: 'decimal_above_max_value',
  })
  const stranger = chat({ apiKey: 'sk-1234567890123456789' })
  expect(await failure(stranger.invoke('Hi'))).toMatchObject({ status: 401, code: 'invalid_api_key' })
  expect(await failure(chat({ model: 'none' }).invoke('Hi'))).toMatchObject({ status: 404, code: 'model_not_found' })
})

test('an answer that breaks off is an error', async () => {
  const stream = await chat().stream('break')
  expect(await failure(Array.fromAsync(stream))).toMatchObject({ code: 'engine_failed' })
})

test('a client that is put off comes again by itself, unless it was told not to', async () => {
  expect((await chat({ maxRetries: 2 }).invoke('flaky, patient')).content).toBe('Hello, world!')
  expect(await failure(chat().invoke('flaky, in a hurry'))).toMatchObject({ status: 503, code: 'engine_loading' })
})

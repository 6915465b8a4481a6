import { expect, test } from 'vitest'
import { modelName } from '../../test/harness/start-helix.ts'
import { asking, failure } from '../open-service.ts'
import { clientOf, type OpenAiScenarios } from './openai-package.ts'

const japanese = '日本語と👩‍👩‍👧‍👦と🇯🇵。'

export const testAnswers: OpenAiScenarios = (openai, service) => {
  const client = () => clientOf(openai, service)
  const completions = () => client().chat.completions

  test('create: an answer with its usage and its request id', async () => {
    const completion = await completions().create(asking('Hi'))
    expect(completion.choices).toMatchObject([{ finish_reason: 'stop', message: { content: 'Hello, world!' } }])
    expect(completion.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 })
    expect(completion._request_id).toMatch(/^req_/)
    const { request_id: requestId, response } = await completions().create(asking('Hi')).withResponse()
    expect(requestId).toBe(response.headers.get('x-request-id'))
  })

  test('create with stream: pieces, then usage when it was asked for', async () => {
    const stream = await completions().create({
      ...asking('Hi'),
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await Array.fromAsync(stream)
    const pieces = chunks.map(({ choices }) => choices[0]?.delta.content ?? '')
    expect(pieces.join('')).toBe('Hello, world!')
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 6 } })
  })

  test('create with stream: no usage where it was not asked for', async () => {
    const chunks = await Array.fromAsync(await completions().create({ ...asking('Hi'), stream: true }))
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false)
  })

  test('stream(): its events follow the answer and its end has all of it', async () => {
    const stream = completions().stream({ ...asking('Hi'), stream_options: { include_usage: true } })
    const heard: string[] = []
    stream.on('content', (delta) => heard.push(delta))
    const final = await stream.finalChatCompletion()
    expect(heard.join('')).toBe('Hello, world!')
    expect(final.choices).toMatchObject([{ finish_reason: 'stop', message: { content: 'Hello, world!' } }])
    expect(await stream.totalUsage()).toMatchObject({ total_tokens: 6 })
    expect(await stream.finalContent()).toBe('Hello, world!')
  })

  test('stream(): a stream can be handed on as bytes and taken up again', async () => {
    const readable = completions().stream(asking('Hi')).toReadableStream()
    expect(await openai.ChatCompletionStream.fromReadableStream(readable).finalContent()).toBe('Hello, world!')
  })

  test('two choices are two answers, streamed or not', async () => {
    const whole = await completions().create({ ...asking('Hi'), n: 2 })
    expect(whole.choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, 'Hello, world!'],
      [1, 'Hello, world!'],
    ])
    expect(whole.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 8 })
    const streamed = await completions()
      .stream({ ...asking('Hi'), n: 2 })
      .finalChatCompletion()
    expect(streamed.choices.map(({ message }) => message.content)).toEqual(['Hello, world!', 'Hello, world!'])
  })

  test('logprobs: each token with its likely alternatives, streamed or not', async () => {
    const asked = { ...asking('Hi'), logprobs: true, top_logprobs: 3 }
    const whole = (await completions().create(asked)).choices[0]?.logprobs
    expect(whole?.content?.map(({ token }) => token)).toEqual(['Hello', ', ', 'world', '!'])
    for (const told of whole?.content ?? []) {
      expect(told.bytes).toEqual([...Buffer.from(told.token)])
      expect(told.top_logprobs).toHaveLength(3)
      expect(told.top_logprobs[0]).toMatchObject({ token: told.token, logprob: told.logprob })
    }
    const streamed = await completions().stream(asked).finalChatCompletion()
    expect(streamed.choices[0]?.logprobs).toEqual(whole)
  })

  test('Japanese and emoji arrive whole, however the model cuts them', async () => {
    expect((await completions().create(asking('日本語で'))).choices[0]?.message.content).toBe(japanese)
    const stream = await completions().create({ ...asking('日本語で'), stream: true })
    const pieces = await Array.fromAsync(stream, ({ choices }) => choices[0]?.delta.content ?? '')
    expect(pieces.join('')).toBe(japanese)
    expect(pieces.some((piece) => piece.includes('\ufffd'))).toBe(false)
  })

  test('a limit of tokens ends the answer with length', async () => {
    for (const limit of [{ max_tokens: 3 }, { max_completion_tokens: 3 }]) {
      const { choices, usage } = await completions().create({ ...asking('endless'), ...limit })
      expect(choices).toMatchObject([{ finish_reason: 'length', message: { content: 'word0 word1 word2 ' } }])
      expect(usage?.completion_tokens).toBe(3)
    }
  })

  test('a reader who leaves the stream frees the engine', async () => {
    const stream = await completions().create({ ...asking('endless'), stream: true })
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'word5 ') break
    await service.engineFreed()
  })

  test('abort() of the stream helper frees the engine', async () => {
    const stream = completions().stream(asking('endless'))
    stream.once('content', () => stream.abort())
    expect(await failure(stream.done())).toBeInstanceOf(openai.OpenAI.APIUserAbortError)
    await service.engineFreed()
  })

  test('a signal that aborts a request that is being answered frees the engine', async () => {
    const leaving = new AbortController()
    const stream = await completions().create({ ...asking('endless'), stream: true }, { signal: leaving.signal })
    const heard: string[] = []
    for await (const { choices } of stream) {
      heard.push(choices[0]?.delta.content ?? '')
      leaving.abort()
    }
    expect(heard.length).toBeGreaterThan(0)
    await service.engineFreed()
  })

  test('models: list and retrieve', async () => {
    const models = await Array.fromAsync(client().models.list())
    expect(models.map(({ id }) => id)).toEqual([modelName])
    expect(await client().models.retrieve(modelName)).toMatchObject({ id: modelName, object: 'model' })
    expect(await failure(client().models.retrieve('some/other:one'))).toBeInstanceOf(openai.OpenAI.NotFoundError)
  })
}

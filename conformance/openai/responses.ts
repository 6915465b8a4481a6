import type { Responses } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { modelName } from '../../test/harness/start-helix.ts'
import { failure } from '../open-service.ts'
import { clientOf, type OpenAiScenarios } from './openai-package.ts'

const weather: Responses.FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather in a city',
  strict: true,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}

/** `client.responses`, with the defaults of the library. */
export const testResponses: OpenAiScenarios = (openai, service) => {
  const client = () => clientOf(openai, service)
  const model = modelName

  describe('responses', () => {
    test('create returns the text and the usage', async () => {
      const response = await client().responses.create({ model, input: 'Hi', instructions: 'Be brief.' })
      expect(response).toMatchObject({ object: 'response', status: 'completed', output_text: 'Hello, world!' })
      expect(response.usage).toMatchObject({ output_tokens: 4 })
    })

    test('stream accumulates the same response from its events', async () => {
      const stream = client().responses.stream({ model, input: 'Hi' })
      let text = ''
      stream.on('response.output_text.delta', ({ delta }) => {
        text += delta
      })
      const final = await stream.finalResponse()
      expect([text, final.output_text, final.status]).toEqual(['Hello, world!', 'Hello, world!', 'completed'])
      const stored = await client().responses.retrieve(final.id)
      expect(stored.output_text).toBe('Hello, world!')
    })

    test('a tool loop by previous_response_id: two calls, then the answer', async () => {
      const first = await client().responses.create({ model, input: 'weather Paris Tokyo', tools: [weather] })
      const calls = first.output.filter((item) => item.type === 'function_call')
      expect(calls.map(({ arguments: text }) => JSON.parse(text))).toEqual([{ city: 'Paris' }, { city: 'Tokyo' }])
      const second = await client().responses.create({
        model,
        previous_response_id: first.id,
        tools: [weather],
        input: calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'sunny' })),
      })
      expect(second.output_text).toBe('The tool said: sunny.')
      const items = await client().responses.inputItems.list(second.id)
      expect(items.data.map(({ type }) => type)).toEqual(['function_call_output', 'function_call_output'])
    })

    test('a tool loop by sending everything back, streamed', async () => {
      const input: Responses.ResponseInput = [{ role: 'user', content: 'weather Paris' }]
      const stream = client().responses.stream({ model, input, tools: [weather], store: false })
      const [call] = (await stream.finalResponse()).output
      if (call?.type !== 'function_call') throw new Error('there is no call')
      // Without what the library adds to it.
      const { type, call_id, name, arguments: text } = call
      const next = await client().responses.create({
        model,
        tools: [weather],
        store: false,
        input: [
          ...input,
          { type, call_id, name, arguments: text },
          { type: 'function_call_output', call_id, output: 'rain' },
        ],
      })
      expect(next.output_text).toBe('The tool said: rain.')
    })

    test('parse returns an object of the schema', async () => {
      const schema = z.object({ name: z.string(), age: z.number() })
      const format = openai.zodTextFormat(schema, 'person')
      const response = await client().responses.parse({ model, input: 'Somebody', text: { format } })
      expect(schema.parse(response.output_parsed)).toEqual(response.output_parsed)
    })

    test('a deleted response is gone, and one that is not in the background cannot be cancelled', async () => {
      const { id } = await client().responses.create({ model, input: 'Hi' })
      expect(await failure(client().responses.cancel(id))).toMatchObject({ status: 400 })
      await client().responses.delete(id)
      expect(await failure(client().responses.retrieve(id))).toMatchObject({ status: 404 })
    })

    test('a stored response can be streamed again, also after an event', async () => {
      const stream = await client().responses.create({ model, input: 'Hi', stream: true })
      const events: Responses.ResponseStreamEvent[] = []
      for await (const event of stream) events.push(event)
      const [created] = events
      const id = created?.type === 'response.created' ? created.response.id : ''
      const again: Responses.ResponseStreamEvent[] = []
      for await (const event of await client().responses.retrieve(id, { stream: true, starting_after: 3 }))
        again.push(event)
      expect(again).toEqual(events.slice(4))
    })

    test('an error in the middle of a stream is raised', async () => {
      const stream = client().responses.stream({ model, input: 'break' })
      expect(await failure(stream.finalResponse())).toMatchObject({ code: 'engine_failed' })
    })

    test('an error is raised with its code and its place', async () => {
      const error = await failure(client().responses.create({ model, input: 'Hi', previous_response_id: 'resp_none' }))
      expect(error).toMatchObject({
        status: 400,
        code: 'previous_response_not_found',
        param: 'previous_response_id',
        type: 'invalid_request_error',
      })
    })
  })
}

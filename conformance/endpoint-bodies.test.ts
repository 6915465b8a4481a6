import { Ajv2020 as Validator } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import { ApiError } from '../src/base/api-error.ts'
import { readEvents } from '../test/harness/read-events.ts'
import { type Helix, modelName, openHelix } from '../test/harness/start-helix.ts'
import { readEndpointSchemas } from './endpoint-schemas.ts'

const validator = new Validator({ strict: false, allErrors: true })
validator.addSchema({ $id: 'official', $defs: readEndpointSchemas('official#/$defs/') })

/** What is wrong with a body; empty if nothing is. */
const faultsOf = (name: string, body: unknown): string[] => {
  const validate = validator.getSchema(`official#/$defs/${name}`)
  if (validate === undefined) return [`there is no ${name}`]
  validate(body)
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params), 'in', JSON.stringify(body)].join(' '),
  )
}

const call = ['<tool_call>\n{"name": "look", "arguments": ', '{"at": "it"}', '}\n</tool_call>']
let helix: Helix
beforeAll(async () => {
  helix = await openHelix({
    engine: { model: { features: new Set(['tools', 'grammar', 'logprobs', 'token_ids', 'template', 'reasoning']) } },
    answer(messages) {
      const said = messages.at(-1)?.content ?? ''
      if (said === 'call') return call
      if (said === 'break') return ['Half', { fail: ApiError.of('engine_failed', {}) }]
      return ['<think>', 'Hm', '</think>', 'Hello', ', ', 'world', '!']
    },
  })
  return helix.close
})

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${helix.baseUrl}/${path}`, {
    method: 'POST',
    headers: { ...helix.authorized, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: modelName, ...body }),
  })
const saying = (content: string, more: object = {}) => ({
  ...{ max_tokens: 100, messages: [{ role: 'user', content }] },
  ...more,
})
const tools = [{ name: 'look', input_schema: { type: 'object', properties: { at: { type: 'string' } } } }]

test.each([
  ['text and thinking', saying('Hi')],
  ['a call', saying('call', { tools })],
  ['a limit', saying('Hi', { max_tokens: 4 })],
  ['a stop sequence', saying('Hi', { stop_sequences: ['wor'] })],
])('/v1/messages with %s, whole and in events, is what the official library declares', async (_, body) => {
  const whole = await post('messages', body)
  expect(whole.status).toBe(200)
  expect(faultsOf('Messages.Message', await whole.json())).toEqual([])
  const events = await readEvents(await post('messages', { ...body, stream: true }))
  expect(events.length).toBeGreaterThan(5)
  expect(events.flatMap((data) => faultsOf('Messages.RawMessageStreamEvent', JSON.parse(data)))).toEqual([])
})

test('errors of /v1/messages, counts and models are what the official library declares', async () => {
  const refused = await post('messages', { messages: [] })
  expect(refused.status).toBe(400)
  expect(faultsOf('Errors.ErrorResponse', await refused.json())).toEqual([])
  const broken = await readEvents(await post('messages', saying('break', { stream: true })))
  expect(faultsOf('Errors.ErrorResponse', JSON.parse(broken.at(-1) ?? ''))).toEqual([])
  const { max_tokens: _, ...counted } = saying('Hi')
  expect(faultsOf('Messages.MessageTokensCount', await (await post('messages/count_tokens', counted)).json())).toEqual(
    [],
  )
  const headers = { ...helix.authorized, 'anthropic-version': '2023-06-01' }
  const model = await fetch(`${helix.baseUrl}/models/${modelName}`, { headers })
  expect(faultsOf('Models.ModelInfo', await model.json())).toEqual([])
})

test.each([
  ['one prompt', { prompt: 'Once' }],
  ['several prompts and choices', { prompt: ['Once', 'Twice'], n: 2, echo: true }],
  ['log probabilities', { prompt: [1, 2], logprobs: 2, max_tokens: 3 }],
])('/v1/completions with %s, whole and in chunks, is what the official library declares', async (_, body) => {
  expect(faultsOf('Completions.Completion', await (await post('completions', body)).json())).toEqual([])
  const streamed = { ...body, stream: true, stream_options: { include_usage: true } }
  const events = (await readEvents(await post('completions', streamed))).slice(0, -1)
  expect(events.length).toBeGreaterThan(3)
  expect(events.flatMap((data) => faultsOf('Completions.Chunk', JSON.parse(data)))).toEqual([])
})

test('/v1/responses/input_tokens is what the official library declares', async () => {
  const counted = await post('responses/input_tokens', { input: 'Hi' })
  expect(faultsOf('InputTokens.InputTokenCountResponse', await counted.json())).toEqual([])
})

test('a property that the library does not declare is reported', () => {
  expect(faultsOf('Messages.MessageTokensCount', { input_tokens: 1, output_tokens: 1 })).toHaveLength(1)
})

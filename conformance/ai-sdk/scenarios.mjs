/** The AI SDK with each of the providers that fit the server. Address and key come from the environment. */
import assert from 'node:assert/strict'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateObject, generateText, Output, stepCountIs, streamObject, streamText, ToolLoopAgent, tool } from 'ai'
import { z } from 'zod'
import { playAll, versions } from './playing.mjs'

const hello = 'Hello, world!'
const said = 'The tool said: sunny in Paris.'
const party = z.object({ place: z.string(), guests: z.array(z.object({ name: z.string(), age: z.number() })) })
const description = 'The weather of a city'
const execute = async ({ city }) => `sunny in ${city}`
const tools = { get_weather: tool({ description, inputSchema: z.object({ city: z.string() }), execute }) }
const stopWhen = stepCountIs(3)

const lookUp = (number) =>
  tool({
    description: 'Looks something up. '.repeat(200),
    inputSchema: z.object({ query: z.string() }),
    execute: async ({ query }) => `${number} found ${query}`,
  })
const manyTools = Object.fromEntries(Array.from({ length: 25 }, (_, number) => [`look_up_${number}`, lookUp(number)]))

const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = process.env
const id = 'helix-v1'
const compatible = { name: 'helix', baseURL, apiKey }
const providers = {
  'openai (responses)': { model: createOpenAI({ baseURL, apiKey })(id), schema: party },
  'openai (chat)': { model: createOpenAI({ baseURL, apiKey }).chat(id), schema: party },
  // By default it puts the schema into the prompt, which the scripted model does not read, and asks for any object.
  'openai-compatible': { model: createOpenAICompatible(compatible)(id), schema: z.looseObject({}) },
  'openai-compatible (supportsStructuredOutputs)': {
    model: createOpenAICompatible({ ...compatible, supportsStructuredOutputs: true })(id),
    schema: party,
  },
  // Without a schema it asks for text.
  anthropic: {
    model: createAnthropic({ baseURL, apiKey })(id),
    schema: party,
    skipped: 'generateObject without a schema',
  },
}

const scenarios = {
  generateText: async (model) => {
    const { text, usage } = await generateText({ model, prompt: 'Hi' })
    assert.deepEqual([text, usage.outputTokens], [hello, 4])
  },
  streamText: async (model) => {
    const { textStream } = streamText({ model, prompt: 'Hi' })
    assert.equal((await Array.fromAsync(textStream)).join(''), hello)
  },
  'tool loop': async (model) => {
    assert.equal((await generateText({ model, prompt: 'weather Paris', tools, stopWhen })).text, said)
    assert.equal(await streamText({ model, prompt: 'weather Paris', tools, stopWhen }).text, said)
  },
  'a tool without parameters': async (model) => {
    const now = tool({ inputSchema: z.object({}), execute: async (input) => JSON.stringify(input) })
    const asked = { model, prompt: 'call the tool now', tools: { now }, stopWhen }
    assert.equal((await generateText(asked)).text, 'The tool said: {}.')
  },
  '25 tools of 4,000 characters': async (model) => {
    const asked = { model, prompt: 'call the tool look_up_17 {"query": "it"}', tools: manyTools, stopWhen }
    assert.equal((await generateText(asked)).text, 'The tool said: 17 found it.')
  },
  agent: async (model) => {
    const agent = new ToolLoopAgent({ model, instructions: 'Be brief.', tools })
    assert.equal((await agent.generate({ prompt: 'weather Paris' })).text, said)
    assert.equal(await (await agent.stream({ prompt: 'weather Paris' })).text, said)
    const { response } = await agent.generate({ prompt: 'weather Paris' })
    const messages = [{ role: 'user', content: 'weather Paris' }, ...response.messages, { role: 'user', content: 'Hi' }]
    assert.equal((await agent.generate({ messages })).text, hello)
  },
  generateObject: async (model, schema) => {
    schema.parse((await generateObject({ model, schema, prompt: 'plan' })).object)
  },
  'generateObject without a schema': async (model) => {
    const { object } = await generateObject({ model, output: 'no-schema', prompt: 'plan' })
    assert.equal(typeof object, 'object')
  },
  streamObject: async (model, schema) => {
    const { partialObjectStream, object } = streamObject({ model, schema, prompt: 'plan' })
    const partial = await Array.fromAsync(partialObjectStream)
    assert.deepEqual(schema.parse(await object), partial.at(-1))
  },
  'output object': async (model, schema) => {
    schema.parse((await generateText({ model, prompt: 'plan', output: Output.object({ schema }) })).output)
  },
}

globalThis.AI_SDK_LOG_WARNINGS = false
const played = Object.entries(providers).flatMap(([provider, { model, schema, skipped }]) =>
  Object.entries(scenarios)
    .filter(([name]) => name !== skipped)
    .map(([name, play]) => [`${provider}, ${name}`, () => play(model, schema)]),
)
await playAll(versions(), Object.fromEntries(played))

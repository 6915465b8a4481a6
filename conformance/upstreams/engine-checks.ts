import assert from 'node:assert/strict'
import type OpenAI from 'openai'

/** What is tried with each real engine, through Helix. A check throws if the engine does not do it. */
export type EngineCheck = { name: string; run(client: OpenAI): Promise<void> }

const model = 'engine'
const hello = { model, messages: [{ role: 'user' as const, content: 'Say hello.' }], max_tokens: 24, temperature: 0 }
const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'Returns the current weather in a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
}
const askWeather = {
  ...{ model, tools: [weather], max_tokens: 96, temperature: 0 },
  messages: [{ role: 'user' as const, content: 'What is the weather in Kyoto? Use the tool.' }],
}
const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
  additionalProperties: false,
}
const askPerson = {
  ...{ model, max_tokens: 96, temperature: 0 },
  messages: [{ role: 'user' as const, content: 'Reply in JSON: the name and the age of an invented person.' }],
}

const contentOf = (completion: OpenAI.ChatCompletion, choice = 0): string =>
  completion.choices[choice]?.message.content ?? ''

const callsOf = (completion: OpenAI.ChatCompletion) =>
  (completion.choices[0]?.message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []))

const assertWeatherCall = (completion: OpenAI.ChatCompletion): void => {
  const [call] = callsOf(completion)
  assert.equal(call?.function.name, 'get_weather')
  assert.equal(typeof JSON.parse(call?.function.arguments ?? '').city, 'string')
}

const assertPerson = (text: string): void => {
  const { name, age, ...others } = JSON.parse(text)
  assert.equal(typeof name, 'string')
  assert(Number.isInteger(age))
  assert.deepEqual(others, {})
}

const assertLogprobs = (completion: OpenAI.ChatCompletion): void => {
  const tokens = completion.choices[0]?.logprobs?.content ?? []
  assert(tokens.length > 0 && tokens.every(({ top_logprobs }) => top_logprobs.length === 2))
  assert.equal(tokens.map(({ token }) => token).join(''), contentOf(completion))
}

/** Accepted is all that can be seen of some fields. */
const accepts = (fields: object) => async (client: OpenAI) => {
  const completion = await client.chat.completions.create({ ...hello, ...fields })
  assert(contentOf(completion).length > 0)
}

const required = { ...askWeather, tool_choice: 'required' as const }
const named = { ...askWeather, tool_choice: { type: 'function' as const, function: { name: 'get_weather' } } }
const schemaFormat = { type: 'json_schema' as const, json_schema: { name: 'person', strict: true, schema: person } }
const logprobs = { ...hello, logprobs: true, top_logprobs: 2 }

export const engineChecks: readonly EngineCheck[] = [
  {
    name: 'text, with usage',
    async run(client) {
      const completion = await client.chat.completions.create(hello)
      assert(contentOf(completion).length > 0)
      assert((completion.usage?.prompt_tokens ?? 0) > 0 && (completion.usage?.completion_tokens ?? 0) > 0)
    },
  },
  {
    name: 'text, streamed, the same as JSON at temperature 0, with usage',
    async run(client) {
      const whole = await client.chat.completions.create(hello)
      const streamed = await client.chat.completions
        .stream({ ...hello, stream_options: { include_usage: true } })
        .finalChatCompletion()
      assert.equal(contentOf(streamed), contentOf(whole))
      assert.equal(streamed.usage?.completion_tokens, whole.usage?.completion_tokens)
    },
  },
  {
    name: 'Japanese, streamed without broken characters',
    async run(client) {
      const messages = [{ role: 'user' as const, content: '日本の首都はどこですか。' }]
      const text = await client.chat.completions.stream({ ...hello, messages }).finalContent()
      assert(text !== null && text.length > 0 && !text.includes('\uFFFD'))
    },
  },
  { name: '`tools`, `auto`', run: async (client) => void (await client.chat.completions.create(askWeather)) },
  {
    name: '`tools`, `required`',
    run: async (client) => assertWeatherCall(await client.chat.completions.create(required)),
  },
  {
    name: '`tools`, a named function',
    run: async (client) => assertWeatherCall(await client.chat.completions.create(named)),
  },
  {
    name: '`tools`, streamed',
    run: async (client) => assertWeatherCall(await client.chat.completions.stream(required).finalChatCompletion()),
  },
  {
    name: 'a tool result sent back',
    async run(client) {
      const [call] = callsOf(await client.chat.completions.create(required))
      assert(call !== undefined)
      const messages = [
        ...askWeather.messages,
        { role: 'assistant' as const, content: null, tool_calls: [call] },
        { role: 'tool' as const, tool_call_id: call.id, content: 'sunny, 21 degrees' },
      ]
      const completion = await client.chat.completions.create({ ...askWeather, messages })
      assert(contentOf(completion).length > 0 || callsOf(completion).length > 0)
    },
  },
  {
    name: '`response_format`, `json_object`',
    async run(client) {
      const asked = { ...askPerson, response_format: { type: 'json_object' as const } }
      JSON.parse(contentOf(await client.chat.completions.create(asked)))
    },
  },
  {
    name: '`response_format`, `json_schema`',
    run: async (client) =>
      assertPerson(contentOf(await client.chat.completions.create({ ...askPerson, response_format: schemaFormat }))),
  },
  {
    name: '`response_format`, `json_schema`, streamed',
    run: async (client) =>
      assertPerson(
        (await client.chat.completions.stream({ ...askPerson, response_format: schemaFormat }).finalContent()) ?? '',
      ),
  },
  { name: '`logprobs`', run: async (client) => assertLogprobs(await client.chat.completions.create(logprobs)) },
  {
    name: '`logprobs`, streamed',
    run: async (client) => assertLogprobs(await client.chat.completions.stream(logprobs).finalChatCompletion()),
  },
  {
    name: '`n`',
    async run(client) {
      const completion = await client.chat.completions.create({ ...hello, n: 2, temperature: 1 })
      assert(contentOf(completion, 0).length > 0 && contentOf(completion, 1).length > 0)
    },
  },
  {
    name: '`seed`: the same text again',
    async run(client) {
      const asked = { ...hello, seed: 7, temperature: 1 }
      assert.equal(
        contentOf(await client.chat.completions.create(asked)),
        contentOf(await client.chat.completions.create(asked)),
      )
    },
  },
  {
    name: '`stop`',
    async run(client) {
      const whole = contentOf(await client.chat.completions.create(hello))
      const stop = whole.slice(3, 6)
      const stopped = contentOf(await client.chat.completions.create({ ...hello, stop: [stop] }))
      assert.equal(stopped, whole.slice(0, whole.indexOf(stop)))
    },
  },
  {
    name: '`max_tokens`: finish reason `length`',
    async run(client) {
      const completion = await client.chat.completions.create({ ...hello, max_tokens: 2 })
      assert.equal(completion.choices[0]?.finish_reason, 'length')
      assert.equal(completion.usage?.completion_tokens, 2)
    },
  },
  { name: '`logit_bias`', run: accepts({ logit_bias: { '100': -10 } }) },
  { name: 'penalties', run: accepts({ frequency_penalty: 0.5, presence_penalty: 0.5 }) },
  { name: '`top_k`, `min_p`, `repetition_penalty`', run: accepts({ top_k: 20, min_p: 0.05, repetition_penalty: 1.1 }) },
  { name: '`reasoning_effort`', run: accepts({ reasoning_effort: 'low' }) },
  { name: '`chat_template_kwargs`', run: accepts({ chat_template_kwargs: { enable_thinking: false } }) },
  {
    name: '`guided_regex`',
    async run(client) {
      const asked = { ...hello, guided_regex: '[0-9]{4}' }
      assert.match(contentOf(await client.chat.completions.create(asked)), /^[0-9]{4}$/)
    },
  },
  {
    name: '`continue_final_message`',
    run: accepts({
      messages: [
        { role: 'user', content: 'Count to ten.' },
        { role: 'assistant', content: 'One, two, three' },
      ],
      ...{ continue_final_message: true, add_generation_prompt: false },
    }),
  },
  {
    name: 'a prompt that is too long: `context_length_exceeded`',
    async run(client) {
      const messages = [{ role: 'user' as const, content: 'word '.repeat(20_000) }]
      await assert.rejects(client.chat.completions.create({ ...hello, messages }), { code: 'context_length_exceeded' })
    },
  },
]

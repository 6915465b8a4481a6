import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRequest } from '../../src/api/chat-completions/request/read-request.ts'
import { messagesIn } from '../../src/api/generation/request/generation-request.ts'
import { readMessagesRequest } from '../../src/api/messages/request/read-messages-request.ts'
import type { AnswerOptions, ChatMessage, ContentPart, FunctionTool, Sampling } from '../../src/engine/contract.ts'
import { messagesBody } from '../../src/engine/remote/messages/messages-body.ts'
import { upstreamBody } from '../../src/engine/remote/upstream-body.ts'
import { upstreamDialects } from '../../src/engine/remote/upstream-kinds.ts'
import { openSampling, talk } from '../harness/engine-request.ts'
import { imageBase64 } from '../harness/media.ts'

/**
 * Whatever endpoint a request came from, upstreams are sent the neutral form. What Helix writes for them is read back with its own
 * endpoints, which accept the same APIs: nothing of it may be lost.
 */
const word = fc.stringMatching(/^[a-zA-Zäあ]([a-zA-Zäあ🙂 "\\\n]{0,12}[a-zA-Z])?$/u)
const name = fc.stringMatching(/^[a-z]{3,8}$/)
const image = fc.constantFrom(...(['png', 'jpeg', 'gif', 'webp'] as const)).map(
  (type): ContentPart => ({
    ...{ type: 'image', url: `data:image/${type};base64,${imageBase64[type]}` },
    bytes: Buffer.from(imageBase64[type], 'base64').length,
    origin: { path: '', type: '', error: null },
  }),
)
const text = word.map((one): ContentPart => ({ type: 'text', text: one }))

const user = fc.oneof(
  word.map((content): ChatMessage => ({ role: 'user', content })),
  fc
    .tuple(fc.array(text, { maxLength: 2 }), image, fc.array(fc.oneof(text, image), { maxLength: 2 }))
    .map(([before, picture, after]): ChatMessage => {
      const parts = [...before, picture, ...after]
      return { role: 'user', content: textOf(parts), parts }
    }),
)
const textOf = (parts: readonly ContentPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

const calls = fc.uniqueArray(
  fc.record({ id: fc.stringMatching(/^call_[a-z0-9]{6}$/), name, input: fc.dictionary(name, word) }),
  {
    ...{ selector: ({ id }) => id, minLength: 1, maxLength: 3 },
  },
)
/** An answer with calls, and their results. */
const called = fc
  .tuple(fc.option(word, { nil: '' }), calls, fc.array(word, { minLength: 3, maxLength: 3 }))
  .map(([content, made, results]): ChatMessage[] => [
    {
      ...{ role: 'assistant', content },
      toolCalls: made.map(({ id, name: called, input }) => ({ id, name: called, arguments: JSON.stringify(input) })),
    },
    ...made.map(({ id }, index): ChatMessage => ({ role: 'tool', toolCallId: id, content: results[index] ?? '' })),
  ])
const answered = word.map((content): ChatMessage[] => [{ role: 'assistant', content }])
const rounds = fc.array(fc.tuple(user, fc.oneof(called, answered)), { maxLength: 4 })
const chats = fc
  .tuple(fc.option(word, { nil: null }), rounds, user)
  .map(([system, turns, last]): ChatMessage[] => [
    ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
    ...turns.flatMap(([asked, reply]) => [asked, ...reply]),
    last,
  ])

const tools: FunctionTool[] = [
  { name: 'look', description: 'Looks.', parameters: '{"type":"object","properties":{"at":{"type":"string"}}}' },
  { name: 'wait', description: null, parameters: null },
]
const callings = fc.record({
  callable: fc.constant(['look', 'wait']),
  mode: fc.constantFrom('auto', 'required'),
  parallel: fc.boolean(),
} as const)
const samplings = fc
  .record({ temperature: fc.constantFrom(null, 0, 0.5, 1), topP: fc.constantFrom(null, 0.9), stop: fc.boolean() })
  .map(
    ({ temperature, topP, stop }): Sampling => ({
      ...openSampling,
      ...{ temperature, topP, maxTokens: 77, stops: stop ? ['END'] : [] },
    }),
  )

const needs = { hash: false, copy: false, strict: false }
/** Without where a part was in the request, and with arguments as values. */
const plain = (messages: readonly ChatMessage[]): unknown =>
  messages.map(({ parts, toolCalls, ...message }) => ({
    ...message,
    ...(parts === undefined
      ? {}
      : { parts: parts.map((part) => ('origin' in part ? { ...part, origin: null } : part)) }),
    ...(toolCalls === undefined
      ? {}
      : { toolCalls: toolCalls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) as unknown })) }),
  }))

const answerOf = (calling: AnswerOptions['calling']): AnswerOptions => ({
  ...{ stream: true, calling, format: null, reasoningEffort: null },
})

test('a chat for an upstream with the Messages API is read back from there as it was', () => {
  const survives = fc.property(chats, callings, samplings, (messages, calling, sampling) => {
    const fields = new Set(upstreamDialects.anthropic.fields)
    const conversation = talk(messages, { tools, answer: answerOf(calling) })
    const body = messagesBody(conversation, sampling, { model: 'm', fields, stream: true })
    const read = readMessagesRequest(Buffer.from(body), needs)
    expect(plain(messagesIn(read.prompt))).toEqual(plain(messages))
    expect(read).toMatchObject({
      ...{ model: 'm', stream: true },
      sampling: { maxTokens: 77, temperature: sampling.temperature, topP: sampling.topP, stops: sampling.stops },
    })
    const defined = read.calling?.shown.map((tool) => [tool.name, tool.description])
    expect(defined?.slice(0, 2)).toEqual([
      ['look', 'Looks.'],
      ['wait', null],
    ])
    expect(read.calling).toMatchObject({ required: calling.mode === 'required', parallel: calling.parallel })
  })
  fc.assert(survives, { numRuns: 60 })
})

test('a chat that is passed on in the form of the Messages API says what its translation says, and keeps its marks', () => {
  const survives = fc.property(chats, callings, samplings, (messages, calling, sampling) => {
    const options = { model: 'm', fields: new Set(upstreamDialects.anthropic.fields), stream: true }
    const answer = answerOf(calling)
    const body = messagesBody(talk(messages, { tools, answer }), sampling, options)
    const mark = { type: 'ephemeral' }
    const sent = { ...(JSON.parse(body) as object), cache_control: mark, metadata: { user_id: 'u' } }
    const needed = { ...needs, upstreamModels: new Set(['m']) }
    const { prompt, calling: offered } = readMessagesRequest(Buffer.from(JSON.stringify(sent)), needed)
    const native = prompt.type === 'chat' ? prompt.native : undefined
    expect(native).toBeDefined()
    const conversation = talk(messagesIn(prompt), { tools: offered?.shown ?? [], answer })
    const passed = messagesBody({ ...conversation, ...(native && { native }) }, sampling, options)
    expect(JSON.parse(passed)).toEqual(sent)
  })
  fc.assert(survives, { numRuns: 60 })
})

test('a chat for an upstream with chat completions is read back from there as it was', () => {
  const survives = fc.property(chats, callings, samplings, (messages, calling, sampling) => {
    const dialect = upstreamDialects.compatible
    const conversation = talk(messages, { tools, answer: answerOf(calling) })
    const options = { model: 'm', dialect, fields: new Set(dialect.fields), stream: true }
    const body = upstreamBody(conversation, sampling, options)
    const read = readRequest(Buffer.from(String(body)), needs)
    expect(plain(messagesIn(read.prompt))).toEqual(plain(messages))
    expect(read).toMatchObject({ sampling: { maxTokens: 77, stops: sampling.stops } })
    expect(read.calling).toMatchObject({ required: calling.mode === 'required', parallel: calling.parallel })
  })
  fc.assert(survives, { numRuns: 60 })
})

test('ids of calls that Mistral refuses become short ones, and results still belong to their calls', () => {
  const paired = fc.property(chats, (messages) => {
    const dialect = upstreamDialects.mistral
    const body = upstreamBody(talk(messages), openSampling, {
      ...{ model: 'm', dialect, fields: new Set(dialect.fields), stream: false },
    })
    const sent = JSON.parse(String(body)) as { messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[] }
    const made = sent.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
    const results = sent.messages.flatMap(({ tool_call_id: id }) => id ?? [])
    expect(results).toEqual(made)
    for (const id of made) expect(id).toMatch(/^[A-Za-z0-9]{9}$/)
  })
  fc.assert(paired, { numRuns: 60 })
})

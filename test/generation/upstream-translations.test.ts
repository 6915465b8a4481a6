import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRequest } from '../../src/api/chat-completions/request/read-request.ts'
import { messagesIn } from '../../src/api/generation/request/generation-request.ts'
import { withJsonInstruction } from '../../src/api/generation/request/json-instruction.ts'
import { imageMark, imagesOfResults } from '../../src/api/generation/request/result-images.ts'
import { readMessagesRequest } from '../../src/api/messages/request/read-messages-request.ts'
import { readResponsesRequest } from '../../src/api/responses/request/read-responses-request.ts'
import type {
  AnswerOptions,
  ChatMessage,
  ContentPart,
  FunctionTool,
  ResponseFormat,
  Sampling,
} from '../../src/engine/contract.ts'
import { messagesBody } from '../../src/engine/remote/messages/messages-body.ts'
import { nativeFromChat } from '../../src/engine/remote/responses/native-from-chat.ts'
import { responsesBody } from '../../src/engine/remote/responses/responses-body.ts'
import { upstreamBody } from '../../src/engine/remote/upstream-body.ts'
import { upstreamDialects } from '../../src/engine/remote/upstream-kinds.ts'
import { openSampling, talk } from '../harness/engine-request.ts'
import { audioBase64, imageBase64 } from '../harness/media.ts'

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
/** Anthropic's API has no place for it. */
const audio = fc.constantFrom(...(['wav', 'mp3'] as const)).map(
  (format): ContentPart => ({
    ...{ type: 'audio', data: audioBase64[format], format, bytes: Buffer.from(audioBase64[format], 'base64').length },
    origin: { path: '', type: '', error: null },
  }),
)
const text = word.map((one): ContentPart => ({ type: 'text', text: one }))

const userWith = (media: fc.Arbitrary<ContentPart>): fc.Arbitrary<ChatMessage> =>
  fc.oneof(
    word.map((content): ChatMessage => ({ role: 'user', content })),
    fc
      .tuple(fc.array(text, { maxLength: 2 }), media, fc.array(fc.oneof(text, media), { maxLength: 2 }))
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
const reasoned = fc.option(word, { nil: undefined }).map((reasoning) => (reasoning === undefined ? {} : { reasoning }))
/** An answer with calls, and their results. The images of results follow them, with marks in their places. */
const called = fc
  .tuple(fc.option(word, { nil: '' }), calls, fc.array(fc.tuple(word, fc.option(image)), { minLength: 3 }), reasoned)
  .map(([content, made, results, reasoning]): ChatMessage[] => {
    const answers = made.map(({ id }, index) => ({ id, result: results[index] ?? (['', null] as const) }))
    const parts = answers.flatMap(({ result: [, picture] }) => picture ?? [])
    return [
      {
        ...{ role: 'assistant', content, ...reasoning },
        toolCalls: made.map(({ id, name: called, input }) => ({ id, name: called, arguments: JSON.stringify(input) })),
      },
      ...answers.map(({ id, result: [said, picture] }): ChatMessage => {
        return { role: 'tool', toolCallId: id, content: picture === null ? said : `${said}\n${imageMark}` }
      }),
      ...imagesOfResults(parts),
    ]
  })
const answered = fc
  .tuple(word, reasoned)
  .map(([content, reasoning]): ChatMessage[] => [{ role: 'assistant', content, ...reasoning }])
const chatsWith = (media: fc.Arbitrary<ContentPart>): fc.Arbitrary<ChatMessage[]> => {
  const user = userWith(media)
  const rounds = fc.array(fc.tuple(user, fc.oneof(called, answered)), { maxLength: 4 })
  return fc
    .tuple(fc.option(word, { nil: null }), rounds, user)
    .map(([system, turns, last]): ChatMessage[] => [
      ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
      ...turns.flatMap(([asked, reply]) => [asked, ...reply]),
      last,
    ])
}
const chats = chatsWith(image)

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

const formats = fc.constantFrom<ResponseFormat | null>(
  null,
  { type: 'object' },
  { type: 'schema', name: 'reply', schema: '{"type":"object","properties":{"at":{"type":"string"}}}', strict: false },
  { type: 'schema', name: 'r', description: 'A "reply".', schema: '{"type":"object"}', strict: true },
)
const efforts = fc.constantFrom(null, 'none', 'low', 'high')

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

const answers: fc.Arbitrary<AnswerOptions> = fc.record({
  ...{ stream: fc.constant(true), calling: callings, format: formats, reasoningEffort: efforts },
})

/** What the Messages API keeps: no reasoning that has no signature, and what a user says after results in one message. */
const asTurns = (messages: readonly ChatMessage[]): ChatMessage[] => {
  const turns: ChatMessage[] = []
  for (const { reasoning: _, ...message } of messages) {
    const last = turns.at(-1)
    if (message.role !== 'user' || last?.role !== 'user') turns.push(message)
    else turns.splice(-1, 1, { role: 'user', ...joined([...partsOf(last), ...partsOf(message)]) })
  }
  return turns
}
const partsOf = ({ content, parts }: ChatMessage): readonly ContentPart[] => parts ?? [{ type: 'text', text: content }]
const joined = (parts: ContentPart[]) => ({ content: textOf(parts), parts })
/** The API has no format for any JSON object. */
const withInstruction = (messages: readonly ChatMessage[]): ChatMessage[] => {
  const content = expect.stringMatching(/(^|\n\n)Answer with one JSON object.*\.$/) as string
  return [{ role: 'system', content }, ...messages.filter(({ role }) => role !== 'system')]
}
const schemaIn = (format: ResponseFormat | null): unknown => {
  if (format?.type !== 'schema') return null
  return { source: { type: 'schema', text: format.schema } }
}

test('a chat for an upstream with the Messages API is read back from there as it was', () => {
  const survives = fc.property(chats, answers, samplings, (messages, answer, sampling) => {
    const fields = new Set([...upstreamDialects.anthropic.fields, 'reasoning_effort'])
    const conversation = talk(messages, { tools, answer })
    const body = messagesBody(conversation, sampling, { model: 'm', fields, stream: true })
    const read = readMessagesRequest(Buffer.from(body), { ...needs, upstreamModels: new Set(['m']) })
    const { calling, format } = answer
    const turns = asTurns(messages)
    const expected = format?.type === 'object' ? withInstruction(turns) : turns
    expect(plain(messagesIn(read.prompt))).toEqual(plain(expected))
    const { temperature, stops } = sampling
    // Newer models refuse both together.
    const topP = temperature === null ? sampling.topP : null
    expect(read).toMatchObject({
      ...{ model: 'm', stream: true, format: schemaIn(format) },
      sampling: { maxTokens: 77, temperature, topP, stops },
    })
    const defined = read.calling?.shown.map((tool) => [tool.name, tool.description])
    expect(defined?.slice(0, 2)).toEqual([
      ['look', 'Looks.'],
      ['wait', null],
    ])
    expect(read.calling).toMatchObject({ required: calling?.mode === 'required', parallel: calling?.parallel })
    const { output_config: config } = JSON.parse(body) as { output_config?: { effort?: string } }
    const effort = answer.reasoningEffort === 'none' ? 'low' : answer.reasoningEffort
    expect(config?.effort ?? null).toBe(effort)
  })
  fc.assert(survives, { numRuns: 60 })
})

test('a chat that is passed on in the form of the Messages API says what its translation says, and keeps its marks', () => {
  const survives = fc.property(chats, answers, samplings, (messages, answer, sampling) => {
    const fields = new Set([...upstreamDialects.anthropic.fields, 'reasoning_effort'])
    const options = { model: 'm', fields, stream: true }
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
  const media = fc.oneof(image, audio)
  const survives = fc.property(chatsWith(media), answers, samplings, (messages, answer, sampling) => {
    const dialect = upstreamDialects.compatible
    const conversation = talk(messages, { tools, answer })
    const options = { model: 'm', dialect, fields: new Set(dialect.fields), stream: true }
    const body = upstreamBody(conversation, sampling, options)
    const read = readRequest(Buffer.from(String(body)), needs)
    const { calling, format, reasoningEffort } = answer
    // Our own endpoint asks for JSON in words, too.
    const expected = format?.type === 'object' ? withJsonInstruction(messages) : messages
    expect(plain(messagesIn(read.prompt))).toEqual(plain(expected))
    const { strict = false } = format?.type === 'schema' ? format : {}
    expect(read).toMatchObject({
      ...{ sampling: { maxTokens: 77, stops: sampling.stops }, reasoningEffort },
      format:
        format?.type === 'schema'
          ? { ...Object(schemaIn(format)), name: format.name, source: { strict, text: format.schema } }
          : format && { source: format },
    })
    expect(read.format?.description).toBe(format?.type === 'schema' ? format.description : undefined)
    expect(read.calling).toMatchObject({ required: calling?.mode === 'required', parallel: calling?.parallel })
  })
  fc.assert(survives, { numRuns: 60 })
})

/** The API wants every image with its detail. */
const withDetail = ({ parts, ...message }: ChatMessage): ChatMessage => ({
  ...message,
  ...(parts && { parts: parts.map((part) => (part.type === 'image' ? { ...part, detail: 'auto' } : part)) }),
})

test('a chat for an upstream with the Responses API is read back from there as it was', () => {
  const survives = fc.property(chats, answers, samplings, (messages, answer, sampling) => {
    const conversation = talk(messages, { tools, answer })
    const body = responsesBody(nativeFromChat(conversation, sampling), sampling, {
      ...{ model: 'm', fields: new Set(['reasoning_effort']), stream: true, tenant: 't', scope: 's' },
      sendsReasoning: false,
    })
    const read = readResponsesRequest(Buffer.from(String(body)), needs)
    const { calling, format } = answer
    // No reasoning that the provider has not encrypted.
    const sent = messages.map(({ reasoning: _, ...message }) => withDetail(message))
    const expected = format?.type === 'object' ? withJsonInstruction(sent) : sent
    expect(plain(messagesIn(read.prompt))).toEqual(plain(expected))
    expect(read).toMatchObject({
      ...{ model: 'm', stream: true, reasoningEffort: answer.reasoningEffort },
      sampling: { maxTokens: 77, temperature: sampling.temperature, topP: sampling.topP },
      format:
        format?.type === 'schema' ? { ...Object(schemaIn(format)), name: format.name } : format && { source: format },
    })
    expect(read.calling).toMatchObject({ required: calling?.mode === 'required', parallel: calling?.parallel })
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

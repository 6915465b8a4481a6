import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { EngineEnd, EngineEvent, ParsedEvent, TokenLogprob } from '../../src/engine/contract.ts'
import { openAnsweringHelix } from '../harness/answering-helix.ts'
import { gridRuns } from '../harness/grid.ts'

/** For any answer of an engine, an endpoint says the same in a stream as in one document. */
let helix: Awaited<ReturnType<typeof openAnsweringHelix>>

beforeAll(async () => {
  helix = await openAnsweringHelix(endpoints)
  return helix.close
})

const parameters = { type: 'object', properties: { input: { type: 'string' } } }
const stops = ['§', 'ab']
const messages = [{ role: 'user', content: 'Hi' }]

const endpoints = {
  '/chat/completions': {
    messages,
    logprobs: true,
    stop: stops,
    tools: ['look', 'patch'].map((name) => ({ type: 'function', function: { name, parameters } })),
  },
  '/completions': { prompt: 'Once', max_tokens: 1000, logprobs: 0, stop: stops },
  '/messages': {
    messages,
    max_tokens: 1000,
    stop_sequences: stops,
    tools: ['look', 'patch'].map((name) => ({ name, input_schema: parameters })),
  },
  '/responses': {
    include: ['message.output_text.logprobs'],
    input: 'Hi',
    tools: [
      { type: 'function', name: 'look', parameters, strict: false },
      { type: 'custom', name: 'patch' },
    ],
  },
}
type Path = keyof typeof endpoints

// biome-ignore lint/suspicious/noExplicitAny: JSON of four APIs, which is only compared.
type Json = any

/** The ids of items and calls differ between two answers. */
const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'id' || key === 'call_id' ? undefined : inner)))

const add = (to: Json, field: string, text: string | null | undefined): void => {
  if (typeof text === 'string') to[field] = (to[field] ?? '') + text
}

const saysTheSame: Record<Path, (events: Json[], whole: Json) => void> = {
  '/chat/completions'(events, whole) {
    const message: Json = { role: 'assistant', content: null, refusal: null }
    const tokens: Json[] = []
    let reason: string | null = null
    for (const { choices } of events)
      for (const { delta, logprobs, finish_reason } of choices) {
        add(message, 'content', delta.content)
        add(message, 'refusal', delta.refusal)
        add(message, 'reasoning_content', delta.reasoning_content)
        for (const { index, function: called, type } of delta.tool_calls ?? []) {
          message.tool_calls ??= []
          message.tool_calls[index] ??= { type, function: { name: called.name, arguments: '' } }
          message.tool_calls[index].function.arguments += called.arguments
        }
        tokens.push(...(logprobs?.content ?? []))
        reason = finish_reason ?? reason
      }
    // A stream begins with an empty text, before it is known whether there is any.
    if (message.content === '' && whole.choices[0].message.content === null) message.content = null
    const joined = { index: 0, message, logprobs: { content: tokens, refusal: null }, finish_reason: reason }
    expect([joined]).toEqual(withoutIds(whole.choices))
    expect(events.at(-1).usage).toEqual(whole.usage)
  },
  '/completions'(events, whole) {
    const joined: Json = { index: 0, text: '', logprobs: null, finish_reason: null }
    const lists: Json = { tokens: [], token_logprobs: [], top_logprobs: [], text_offset: [] }
    for (const { choices } of events)
      for (const { text, logprobs, finish_reason } of choices) {
        joined.text += text
        joined.finish_reason = finish_reason ?? joined.finish_reason
        for (const name of Object.keys(lists)) lists[name].push(...(logprobs?.[name] ?? []))
      }
    expect([{ ...joined, logprobs: lists }]).toEqual(whole.choices)
    expect(events.at(-1).usage).toEqual(whole.usage)
  },
  '/messages'(events, whole) {
    const content: Json[] = []
    const stopped: boolean[] = []
    let end: Json = {}
    for (const event of events) {
      const { type, index, delta } = event
      if (type === 'content_block_start') {
        expect(index).toBe(content.length)
        content.push({ ...event.content_block, ...(event.content_block.type === 'tool_use' ? { input: '' } : {}) })
      } else if (type === 'content_block_delta') {
        expect(stopped[index], 'a block has ended').toBeUndefined()
        add(content[index], 'text', delta.text)
        add(content[index], 'thinking', delta.thinking)
        add(content[index], 'signature', delta.signature)
        add(content[index], 'input', delta.partial_json)
      } else if (type === 'content_block_stop') stopped[index] = true
      else if (type === 'message_delta') end = event
    }
    expect(stopped).toEqual(content.map(() => true))
    const blocks = content.map((block) =>
      block.type === 'tool_use' ? { ...block, input: inputOf(block.input) } : block,
    )
    const unsigned = (all: Json[]): unknown =>
      withoutIds(
        all.map((block) => (block.type === 'thinking' ? { ...block, signature: block.signature !== '' } : block)),
      )
    expect(unsigned(blocks)).toEqual(unsigned(whole.content))
    const { stop_reason, stop_sequence } = whole
    expect(end.delta).toMatchObject({ stop_reason, stop_sequence })
    expect(whole.usage).toMatchObject(end.usage)
  },
  '/responses'(events, whole) {
    const output: Json[] = []
    for (const { type, output_index, item } of events) {
      if (type === 'response.output_item.added') expect(output_index).toBe(output.length)
      if (type === 'response.output_item.added') output.push(null)
      if (type === 'response.output_item.done') output[output_index] = item
    }
    const { response } = events.at(-1)
    expect(output).toEqual(response.output)
    expect(withoutIds(output)).toEqual(withoutIds(whole.output))
    const { status, incomplete_details, usage } = whole
    expect(response).toMatchObject({ status, incomplete_details, usage })
  },
}

const inputOf = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const text = fc.oneof(fc.string({ minLength: 1, maxLength: 6 }), fc.constantFrom('a', 'b', ' ', '§', '<think>', '日本'))
const parsed: fc.Arbitrary<ParsedEvent> = fc.oneof(
  { weight: 3, arbitrary: text.map((one): ParsedEvent => ({ type: 'text', text: one })) },
  text.map((one): ParsedEvent => ({ type: 'reasoning', text: one })),
  text.map((one): ParsedEvent => ({ type: 'refusal', text: one })),
  fc.constantFrom('look', 'patch').map((name): ParsedEvent => ({ type: 'call', index: -1, id: '', name })),
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat({ max: 2 }), fc.constantFrom('{}', '{"input":"a"}', '{"inp', 'ut":"b"}', 'x', '1'))
      .map(([index, one]): ParsedEvent => ({ type: 'arguments', index, text: one })),
  },
)

/** Calls are numbered in the order in which they begin, and have arguments only after that. */
const parsedAnswer = fc.array(parsed, { maxLength: 16 }).map((all) => {
  let calls = 0
  return all.flatMap((event): EngineEvent[] => {
    if (event.type === 'arguments') return event.index < calls ? [event] : []
    if (event.type !== 'call') return [event]
    calls += 1
    return [{ ...event, index: calls - 1, id: `call_${calls}` }]
  })
})

/** What a model writes itself: tokens that end anywhere, also within a character. */
const written = fc.oneof(
  text,
  fc
    .constantFrom('look', 'patch')
    .map((name) => `<tool_call>\n{"name": "${name}", "arguments": {"input": "日"}}\n</tool_call>`),
  fc.constantFrom('<tool_call>', '</think>', '\n'),
)
const logprob: TokenLogprob = { logprob: -0.5, rank: 0, top: [] }
const tokenAnswer = fc
  .tuple(fc.array(written, { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }))
  .map(([texts, lengths]) => {
    const bytes = Buffer.from(texts.join(''))
    const tokens: EngineEvent[] = []
    for (let at = 0, index = 0; at < bytes.length; index += 1) {
      const end = at + (lengths[index % lengths.length] ?? 1)
      tokens.push({ type: 'token', id: index, bytes: new Uint8Array(bytes.subarray(at, end)), logprob })
      at = end
    }
    return tokens
  })

const end = fc
  .constantFrom('stop' as const, 'length' as const, 'content_filter' as const)
  .map((reason): Omit<EngineEnd, 'completionTokens'> => ({ type: 'end', reason, promptTokens: 3, cachedTokens: 1 }))

const answer = fc
  .tuple(fc.oneof(parsedAnswer, tokenAnswer), end)
  .map(([events, last]): EngineEvent[] => [...events, { ...last, completionTokens: events.length }])

const withUsage: Partial<Record<Path, object>> = {
  '/chat/completions': { stream_options: { include_usage: true } },
  '/completions': { stream_options: { include_usage: true } },
}

const check = async (path: Path): Promise<void> => {
  const events = await helix.streamed(path, withUsage[path])
  saysTheSame[path](events, await helix.whole(path))
}

test.each(Object.keys(endpoints) as Path[])('%s says the same in a stream and as a whole', async (path) => {
  await fc.assert(
    fc.asyncProperty(answer, async (events) => {
      helix.answer(events)
      await check(path)
    }),
    { numRuns: gridRuns(150) },
  )
})

const done: EngineEvent = { type: 'end', reason: 'stop', promptTokens: 3, cachedTokens: 1, completionTokens: 5 }

test('text after a tool call stays after it', async () => {
  helix.answer([
    { type: 'text', text: 'I look. ' },
    { type: 'call', index: 0, id: 'call_1', name: 'look' },
    { type: 'arguments', index: 0, text: '{"input":"a"}' },
    { type: 'text', text: 'I have looked.' },
    done,
  ])
  for (const path of Object.keys(endpoints) as Path[]) await check(path)
  const message: Json = await helix.whole('/messages')
  expect(message.content).toMatchObject([
    { type: 'text', text: 'I look. ' },
    { type: 'tool_use', name: 'look', input: { input: 'a' } },
    { type: 'text', text: 'I have looked.' },
  ])
  const response: Json = await helix.whole('/responses')
  expect(response.output).toMatchObject([
    { type: 'message', content: [{ text: 'I look. ' }] },
    { type: 'function_call', name: 'look', arguments: '{"input":"a"}' },
    { type: 'message', content: [{ text: 'I have looked.' }] },
  ])
})

test('arguments that an upstream writes in turns belong to their calls', async () => {
  helix.answer([
    { type: 'call', index: 0, id: 'call_1', name: 'look' },
    { type: 'call', index: 1, id: 'call_2', name: 'look' },
    { type: 'arguments', index: 0, text: '{"input":' },
    { type: 'arguments', index: 1, text: '{"input":"b"}' },
    { type: 'arguments', index: 0, text: '"a"}' },
    done,
  ])
  for (const path of Object.keys(endpoints) as Path[]) await check(path)
  const { content }: Json = await helix.whole('/messages')
  expect(content).toMatchObject([{ input: { input: 'a' } }, { input: { input: 'b' } }])
})

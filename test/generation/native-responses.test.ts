import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerPiece } from '../../src/api/responses/answer-piece.ts'
import { createResponseBuilder } from '../../src/api/responses/response-builder.ts'
import type { ResponseEchoes } from '../../src/api/responses/response-json.ts'
import { createStreamRecord, replayEvents } from '../../src/api/responses/stream-record.ts'
import { ApiError } from '../../src/base/api-error.ts'
import type { EngineEvent } from '../../src/engine/contract.ts'
import { createResponsesReader } from '../../src/engine/remote/responses/responses-reader.ts'

type Fields = Record<string, unknown>
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const id = fc.stringMatching(/^[a-z]{2,3}_[a-zA-Z0-9]{4,20}$/)
const annotation = fc.record({ type: fc.constant('url_citation'), url: text, start_index: fc.nat(9) })
const saidPart = fc.oneof(
  fc.record({
    ...{ type: fc.constant('output_text' as const), annotations: fc.array(annotation, { maxLength: 2 }), text },
    logprobs: fc.constant([]),
  }),
  fc.record({ type: fc.constant('refusal' as const), refusal: text }),
)
const status = fc.constant('completed')
const item: fc.Arbitrary<Fields> = fc.oneof(
  fc.record(
    {
      ...{ id, type: fc.constant('message'), status, role: fc.constant('assistant') },
      ...{ content: fc.array(saidPart, { minLength: 1, maxLength: 3 }), phase: fc.constantFrom('commentary', 'final') },
    },
    { requiredKeys: ['id', 'type', 'status', 'role', 'content'] },
  ),
  fc.record(
    {
      ...{ id, type: fc.constant('reasoning'), status, encrypted_content: text },
      summary: fc.array(fc.record({ type: fc.constant('summary_text'), text }), { maxLength: 3 }),
      content: fc.array(fc.record({ type: fc.constant('reasoning_text'), text }), { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['id', 'type', 'status', 'summary'] },
  ),
  fc.record({ id, type: fc.constant('function_call'), status, call_id: id, name: id, arguments: text }),
  fc.record({ id, type: fc.constant('custom_tool_call'), call_id: id, name: id, input: text }),
  fc.record({ id, type: fc.constant('web_search_call'), status, action: fc.record({ query: text }) }),
)
const output = fc.uniqueArray(item, { maxLength: 6, selector: ({ id: own }) => own })

/** A text in one or two deltas, also within a character. */
const deltas = (name: string, place: Fields, whole: string): Fields[] => {
  const middle = Math.floor(whole.length / 2)
  const parts = middle === 0 ? [whole] : [whole.slice(0, middle), whole.slice(middle)]
  return parts.map((delta) => ({ type: `response.${name}.delta`, ...place, delta }))
}
const textEvents = (one: Fields, place: Fields): Fields[] => {
  const parts = (list: unknown): Fields[] => (Array.isArray(list) ? list : [])
  if (one.type === 'function_call') return deltas('function_call_arguments', place, String(one.arguments))
  if (one.type === 'custom_tool_call') return deltas('custom_tool_call_input', place, String(one.input))
  return [
    ...parts(one.summary).flatMap((part, summary_index) =>
      deltas('reasoning_summary_text', { ...place, summary_index }, String(part.text)),
    ),
    ...parts(one.content).flatMap((part, content_index) => {
      const names: Fields = { output_text: 'output_text', refusal: 'refusal', reasoning_text: 'reasoning_text' }
      const name = String(names[String(part.type)])
      return deltas(name, { ...place, content_index }, String(part.text ?? part.refusal))
    }),
  ]
}
const streamOf = (items: readonly Fields[], isSplit: boolean): Fields[] => [
  { type: 'response.created', response: { output: [] } },
  ...items.flatMap((one, output_index) => {
    const { encrypted_content, ...begun } = one
    const empty = { ...begun, content: [], summary: [], arguments: '', input: '' }
    return [
      { type: 'response.output_item.added', output_index, item: one.type === 'web_search_call' ? begun : empty },
      ...(isSplit ? textEvents(one, { output_index, item_id: one.id }) : []),
      { type: 'response.output_item.done', output_index, item: one },
    ]
  }),
  { type: 'response.completed', response: { status: 'completed', output: items, usage: { input_tokens: 1 } } },
]

const read = (values: readonly unknown[]): EngineEvent[] => {
  const builtInTools = new Set(['web_search'])
  const reader = createResponsesReader({
    logprobs: false,
    redact: (sent) => sent,
    hideSecrets: (sent) => sent,
    builtInTools,
  })
  const events: EngineEvent[] = []
  for (const value of values) reader.read(value, events)
  reader.end(events)
  return events
}
const toPiece = (event: EngineEvent): AnswerPiece[] => {
  if (event.type === 'text') return [{ type: 'content', text: event.text, logprobs: [] }]
  if (event.type === 'reasoning' || event.type === 'refusal') return [{ type: event.type, text: event.text }]
  return event.type === 'call' || event.type === 'arguments' || event.type === 'item' ? [event] : []
}
/** Only what a replay reads of it. */
const echoes = { reasoning: { effort: null, summary: null } } as ResponseEchoes
const end = {
  ...{ reason: 'stop' as const, completedAt: 2 },
  usage: { promptTokens: 1, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 },
}
const build = (pieces: readonly AnswerPiece[]) => {
  const head = { id: 'resp_1', created: 1, model: 'm', echoes }
  const builder = createResponseBuilder({
    head,
    customTools: [],
    summarises: false,
    newItemId: (kind) => `${kind}_new`,
  })
  const record = createStreamRecord([])
  const events = [...builder.start()]
  for (const piece of pieces) {
    record.add(piece)
    events.push(...builder.add(piece))
  }
  events.push(...builder.complete(end))
  return { response: builder.response(), events, record: record.json() }
}
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('items of an upstream survive a stream, a document and a replay, whatever is in them', () => {
  fc.assert(
    fc.property(output, fc.boolean(), (items, isSplit) => {
      fc.pre(items.length > 0)
      const streamed = build(read(streamOf(items, isSplit)).flatMap(toPiece))
      expect(plain(streamed.response.output)).toEqual(plain(items))
      const document = build(read([{ object: 'response', status: 'completed', output: items }]).flatMap(toPiece))
      expect(plain(document.response.output)).toEqual(plain(items))
      expect(plain([...replayEvents(streamed.response, streamed.record)])).toEqual(plain(streamed.events))
    }),
    { numRuns: 100, seed: 108 },
  )
})

test('a replay gives items their own ids if another upstream has continued a native answer', () => {
  const said = { id: 'msg_up', type: 'message', status: 'completed', content: [] }
  const begun = read([
    { type: 'response.output_item.added', output_index: 0, item: said },
    { type: 'response.output_text.delta', output_index: 0, item_id: 'msg_up', delta: 'Blue' },
  ])
  const streamed = build([
    ...begun.flatMap(toPiece),
    { type: 'content', text: ' sky.', logprobs: [] },
    { type: 'call', index: 0, id: 'call_1', name: 'look' },
    { type: 'arguments', index: 0, text: '{}' },
  ])
  expect(streamed.response.output).toMatchObject([{ id: 'msg_up' }, { id: 'fc_new' }])
  expect(plain([...replayEvents(streamed.response, streamed.record)])).toEqual(plain(streamed.events))
})

test('events without numbers belong to items by their ids, and calls without ids by those that their outputs name', () => {
  const said = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant' }
  const called = { type: 'function_call', status: 'completed', name: 'look' }
  const content = [{ type: 'output_text', text: 'Blue sky.', annotations: [], logprobs: [] }]
  const calls = ['call_1', 'call_2'].map((call_id, at) => ({ ...called, call_id, arguments: `{"at":${at}}` }))
  const values = [
    { type: 'response.output_item.added', output_index: 0, item: { ...said, content: [] } },
    { type: 'response.content_part.added', item_id: 'msg_1', part: { type: 'output_text', text: '' } },
    { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Blue ' },
    { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'sky.' },
    ...calls.flatMap((one) => [
      { type: 'response.output_item.added', item: { ...one, arguments: '' } },
      { type: 'response.function_call_arguments.delta', item_id: one.call_id, delta: one.arguments.slice(0, 4) },
      { type: 'response.function_call_arguments.delta', item_id: one.call_id, delta: one.arguments.slice(4) },
    ]),
    { type: 'response.output_text.done', item_id: 'msg_1', text: 'Blue sky.' },
    { type: 'response.output_item.done', item: { ...said, content } },
    ...calls.map((item) => ({ type: 'response.output_item.done', item })),
    // It counts the items in another way at the end.
    { type: 'response.completed', response: { output: [...calls, { ...said, content }] } },
  ]
  const { response } = build(read(values).flatMap(toPiece))
  expect(plain(response.output)).toMatchObject([{ ...said, content }, ...calls])
})

test('events whose ids are always others belong to items by their numbers', () => {
  const part = { type: 'output_text', text: 'Blue sky.' }
  const item = (id: string, content: object[]) => ({ id, type: 'message', status: 'completed', content })
  const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0 }
  const values = [
    { type: 'response.output_item.added', output_index: 0, item: item('a', []) },
    { ...delta, item_id: 'b', delta: 'Blue ' },
    { ...delta, item_id: 'c', delta: 'sky.' },
    { type: 'response.output_item.done', output_index: 0, item: item('d', [part]) },
    { type: 'response.completed', response: { output: [item('e', [part])] } },
  ]
  const { response } = build(read(values).flatMap(toPiece))
  expect(response.output).toMatchObject([{ id: 'a', content: [{ text: 'Blue sky.' }] }])
})

test('no event makes it throw anything but an error for callers', () => {
  const types = fc.constantFrom(
    ...['response.output_item.added', 'response.output_item.done', 'response.output_text.delta', 'error', 'nothing'],
    ...['response.function_call_arguments.delta', 'response.completed', 'response.failed', 'response.refusal.done'],
  )
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), item)
  const event = fc.record(
    { type: types, output_index: odd, content_index: odd, item: odd, delta: odd, response: odd, error: odd },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(event, fc.jsonValue({ maxDepth: 2 })), { maxLength: 8 }), (values) => {
      try {
        build(read(values).flatMap(toPiece))
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    }),
    { numRuns: 300, seed: 108 },
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../base/api-error.ts'
import type { AnswerPiece } from './answer-piece.ts'
import type { OutputItem } from './items.ts'
import { createResponseBuilder, type ResponseBuilder } from './response-builder.ts'
import type { ResponseEchoes, ResponseJson } from './response-json.ts'
import type { ResponseEvent } from './stream-events.ts'
import { createStreamRecord, replayEvents } from './stream-record.ts'

const echoes: ResponseEchoes = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  temperature: null,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: null,
  truncation: 'disabled',
  metadata: {},
}
const usage = { promptTokens: 5, cachedTokens: 1, completionTokens: 3, reasoningTokens: 2 }

const newBuilder = ({ summarises = false } = {}): ResponseBuilder => {
  let items = 0
  return createResponseBuilder({
    head: {
      id: 'resp_1',
      created: 100,
      model: 'helix-v1',
      echoes: summarises ? { ...echoes, reasoning: { effort: null, summary: 'auto' } } : echoes,
    },
    customTools: ['patch'],
    summarises,
    newItemId(kind) {
      items += 1
      return `${kind}_${items}`
    },
  })
}

/** What a client has after these events; independent of how they were created. */
const fold = (events: readonly ResponseEvent[]): ResponseJson | null => {
  let response: ResponseJson | null = null
  const itemAt = (index: number): OutputItem => {
    const item = response?.output[index]
    if (item === undefined) throw new Error(`there is no item ${index}`)
    return item
  }
  const partAt = (event: { output_index: number; content_index: number }) => {
    const item = itemAt(event.output_index)
    const part = item.type === 'message' || item.type === 'reasoning' ? item.content?.[event.content_index] : undefined
    if (part === undefined) throw new Error('there is no such part')
    return part
  }
  for (const [index, event] of events.entries()) {
    expect(event.sequence_number).toBe(index)
    if ('item_id' in event) expect(itemAt(event.output_index).id).toBe(event.item_id)
    switch (event.type) {
      case 'response.created':
        response = structuredClone(event.response)
        break
      case 'response.output_item.added':
        expect(event.output_index).toBe(response?.output.length)
        response?.output.push(structuredClone(event.item))
        break
      case 'response.content_part.added': {
        const item = itemAt(event.output_index)
        if (item.type !== 'message' && item.type !== 'reasoning') throw new Error('it has no parts')
        const parts: object[] = item.content ?? []
        expect(event.content_index).toBe(parts.length)
        parts.push(structuredClone(event.part))
        break
      }
      case 'response.output_text.delta':
      case 'response.reasoning_text.delta': {
        const part = partAt(event)
        if (part.type === 'refusal') throw new Error('it is a refusal')
        part.text += event.delta
        break
      }
      case 'response.refusal.delta': {
        const part = partAt(event)
        if (part.type !== 'refusal') throw new Error('it is no refusal')
        part.refusal += event.delta
        break
      }
      case 'response.output_text.done':
      case 'response.reasoning_text.done':
        expect(partAt(event)).toMatchObject({ text: event.text })
        break
      case 'response.refusal.done':
        expect(partAt(event)).toMatchObject({ refusal: event.refusal })
        break
      case 'response.content_part.done':
        expect(partAt(event)).toEqual(event.part)
        break
      case 'response.reasoning_summary_part.added': {
        const item = itemAt(event.output_index)
        if (item.type === 'reasoning') item.summary.push(structuredClone(event.part))
        break
      }
      case 'response.reasoning_summary_text.delta': {
        const item = itemAt(event.output_index)
        const part = item.type === 'reasoning' ? item.summary[event.summary_index] : undefined
        if (part !== undefined) part.text += event.delta
        break
      }
      case 'response.function_call_arguments.delta': {
        const item = itemAt(event.output_index)
        if (item.type === 'function_call') item.arguments += event.delta
        break
      }
      case 'response.function_call_arguments.done':
        expect(itemAt(event.output_index)).toMatchObject({ arguments: event.arguments })
        break
      case 'response.custom_tool_call_input.delta': {
        const item = itemAt(event.output_index)
        if (item.type === 'custom_tool_call') item.input += event.delta
        break
      }
      case 'response.custom_tool_call_input.done':
        expect(itemAt(event.output_index)).toMatchObject({ input: event.input })
        break
      case 'response.output_item.done': {
        const item = itemAt(event.output_index)
        // Only the status differs from what the parts said.
        if ('status' in item && event.item.type !== 'custom_tool_call')
          Reflect.set(item, 'status', event.item.status ?? 'completed')
        expect(item).toEqual(event.item)
        break
      }
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        expect(response?.output).toEqual(event.response.output)
        response = structuredClone(event.response)
    }
  }
  return response
}

const text = fc.string({ minLength: 1, maxLength: 8 })
const piece: fc.Arbitrary<AnswerPiece> = fc.oneof(
  text.map((one): AnswerPiece => ({ type: 'content', text: one, logprobs: [] })),
  text.map((one): AnswerPiece => ({ type: 'reasoning', text: one })),
  text.map((one): AnswerPiece => ({ type: 'refusal', text: one })),
  fc.constantFrom('look', 'patch').map((name): AnswerPiece => ({ type: 'call', index: -1, id: '', name })),
  fc
    .tuple(fc.nat({ max: 3 }), fc.constantFrom('{}', '{"input":"a"}', '{"inp', 'ut":"b"}', 'x'))
    .map(([index, one]): AnswerPiece => ({ type: 'arguments', index, text: one })),
)
/** Calls are numbered in the order in which they begin. */
const pieces = fc.array(piece, { maxLength: 30 }).map((all) => {
  let calls = 0
  return all.map((event): AnswerPiece => {
    if (event.type !== 'call') return event
    calls += 1
    return { ...event, index: calls - 1, id: `call_${calls}` }
  })
})

test('the events of any answer, put together, are the response', () => {
  const reasons = fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls')
  fc.assert(
    fc.property(pieces, reasons, fc.boolean(), fc.boolean(), (all, reason, summarises, fails) => {
      const builder = newBuilder({ summarises })
      const events = [...builder.start(), ...all.flatMap(builder.add)]
      if (fails) events.push(...builder.fail(ApiError.of('engine_failed', {})))
      else events.push(...builder.complete({ reason, usage, completedAt: 200 }))
      expect(fold(events)).toEqual(builder.response())
      expect(events.filter(({ type }) => type === 'response.output_item.added').length).toBe(
        events.filter(({ type }) => type === 'response.output_item.done').length,
      )
    }),
  )
})

test('a stored response is streamed again by the same events, however it was divided', () => {
  const reasons = fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls')
  fc.assert(
    fc.property(pieces, reasons, fc.boolean(), (all, reason, summarises) => {
      const builder = newBuilder({ summarises })
      const record = createStreamRecord(['patch'])
      const events = [...builder.start(), ...all.flatMap(builder.add)]
      for (const one of all) record.add(one)
      events.push(...builder.complete({ reason, usage, completedAt: 200 }))
      const stored: ResponseJson = JSON.parse(JSON.stringify(builder.response()))
      expect([...replayEvents(stored, record.json())]).toEqual(events)
    }),
  )
})

const eventTypes = (events: readonly ResponseEvent[]): string[] =>
  events.map(({ type }) => type.replace(/^response\./, ''))

test('reasoning, text and a call are three items, each complete before the next begins', () => {
  const builder = newBuilder()
  const events = [
    ...builder.start(),
    ...builder.add({ type: 'reasoning', text: 'Hm' }),
    ...builder.add({ type: 'content', text: 'Hello', logprobs: [] }),
    ...builder.add({ type: 'call', index: 0, id: 'call_1', name: 'look' }),
    ...builder.add({ type: 'arguments', index: 0, text: '{}' }),
    ...builder.complete({ reason: 'tool_calls', usage, completedAt: 200 }),
  ]
  expect(eventTypes(events)).toEqual([
    'created',
    'in_progress',
    'output_item.added',
    'content_part.added',
    'reasoning_text.delta',
    'reasoning_text.done',
    'content_part.done',
    'output_item.done',
    'output_item.added',
    'content_part.added',
    'output_text.delta',
    'output_text.done',
    'content_part.done',
    'output_item.done',
    'output_item.added',
    'function_call_arguments.delta',
    'function_call_arguments.done',
    'output_item.done',
    'completed',
  ])
  expect(builder.response()).toMatchObject({
    status: 'completed',
    completed_at: 200,
    output: [
      { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm' }] },
      { type: 'message', status: 'completed', content: [{ text: 'Hello' }] },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
    ],
    usage: { input_tokens: 5, input_tokens_details: { cached_tokens: 1 }, output_tokens: 3, total_tokens: 8 },
  })
})

test('an answer that reaches its limit is incomplete, and so is its last item', () => {
  const builder = newBuilder()
  builder.add({ type: 'content', text: 'Half', logprobs: [] })
  builder.complete({ reason: 'length', usage, completedAt: 200 })
  expect(builder.response()).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ status: 'incomplete' }],
  })
})

test('an answer without text is a message with an empty text', () => {
  const builder = newBuilder()
  builder.complete({ reason: 'stop', usage, completedAt: 200 })
  expect(builder.response().output).toMatchObject([{ type: 'message', content: [{ type: 'output_text', text: '' }] }])
})

test('the text of a custom tool is the argument that the model wrote', () => {
  const builder = newBuilder()
  builder.add({ type: 'call', index: 0, id: 'call_1', name: 'patch' })
  builder.add({ type: 'arguments', index: 0, text: '{"input": "*** Begin' })
  builder.add({ type: 'arguments', index: 0, text: '\\n"}' })
  builder.complete({ reason: 'tool_calls', usage, completedAt: 200 })
  expect(builder.response().output).toMatchObject([{ type: 'custom_tool_call', input: '*** Begin\n' }])
})

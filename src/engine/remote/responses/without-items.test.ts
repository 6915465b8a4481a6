import { expect, test } from 'vitest'
import type { EngineEvent } from '../../contract.ts'
import { createResponsesReader } from './responses-reader.ts'
import { withoutItems } from './without-items.ts'

const read = (...values: unknown[]) => readFor({}, ...values)
const readFor = ({ hasFormat = false, logprobs = false }, ...values: unknown[]) => {
  const redact = (text: string) => text
  const reader = withoutItems(
    createResponsesReader({ logprobs, redact, hideSecrets: redact, builtInTools: new Set() }),
    { hasFormat },
  )
  const events: EngineEvent[] = []
  for (const value of values) reader.read(value, events)
  reader.end(events)
  return { events, reason: reader.reason(), usage: reader.usage() }
}
const message = (id: string, text: string) => ({ id, type: 'message', content: [{ type: 'output_text', text }] })
const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' }

test('a response becomes the answer to a chat: reasoning, texts and calls, with a blank line where parts are joined', () => {
  const summary = ['First.', 'Then.'].map((text) => ({ type: 'summary_text', text }))
  const output = [
    { id: 'rs_1', type: 'reasoning', summary },
    message('msg_1', 'Wait.'),
    message('msg_2', 'Done.'),
    call,
  ]
  const usage = { input_tokens: 4, output_tokens: 9, input_tokens_details: { cached_tokens: 2 } }
  const { events, reason, usage: counts } = read({ object: 'response', status: 'completed', output, usage })
  expect(events).toEqual([
    { type: 'reasoning', text: 'First.' },
    { type: 'reasoning', text: '\n\n', tokens: 0 },
    { type: 'reasoning', text: 'Then.' },
    { type: 'text', text: 'Wait.' },
    { type: 'text', text: '\n\n', tokens: 0 },
    { type: 'text', text: 'Done.' },
    { type: 'call', index: 0, id: 'call_1', name: 'look', tokens: 0 },
    { type: 'arguments', index: 0, text: '{}' },
  ])
  expect(reason).toBe('stop')
  expect(counts).toMatchObject({ prompt_tokens: 4, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 2 } })
})

test('parts of one text that arrive with others between them stay one text', () => {
  const delta = (item_id: string, name: string, text: string) => ({
    type: `response.${name}.delta`,
    item_id,
    delta: text,
  })
  const added = { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } }
  const { events } = read(
    delta('msg_1', 'output_text', 'Hel'),
    added,
    delta('fc_1', 'function_call_arguments', '{'),
    delta('msg_1', 'output_text', 'lo'),
    { type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } },
  )
  expect(events.filter(({ type }) => type === 'text')).toEqual([
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo' },
  ])
})

test('what is said beside an answer with a format is reasoning, so that the answer is JSON', () => {
  const content = (text: string, entries: string[]) => [
    {
      ...{ type: 'output_text', text },
      logprobs: entries.map((token) => ({ token, bytes: [...Buffer.from(token)], logprob: -1, top_logprobs: [] })),
    },
  ]
  const output = [
    { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { id: 'msg_1', type: 'message', phase: 'commentary', content: content('I look é.', ['I look', ' é.']) },
    { id: 'msg_2', type: 'message', phase: 'final_answer', content: content('{}', ['{}']) },
  ]
  const response = { object: 'response', status: 'completed', output }
  const joined = (asked: object, type: string) =>
    readFor(asked, response)
      .events.map((event) => {
        if (event.type === 'token' && type === 'text') return Buffer.from(event.bytes).toString()
        return event.type === type && 'text' in event ? event.text : ''
      })
      .join('')
  for (const logprobs of [false, true]) {
    expect(joined({ hasFormat: true, logprobs }, 'text')).toBe('{}')
    expect(joined({ hasFormat: true, logprobs }, 'reasoning')).toBe('Hm.\n\nI look é.')
    expect(joined({ logprobs }, 'text')).toBe('I look é.\n\n{}')
  }
})

test('an answer of very many parts is read', () => {
  const parts = Array.from({ length: 200_000 }, (): EngineEvent => ({ type: 'text', text: 'a' }))
  const known = createResponsesReader({
    logprobs: false,
    redact: (text) => text,
    hideSecrets: (text) => text,
    builtInTools: new Set(),
  })
  const many = (_: unknown, events: EngineEvent[]): void => {
    for (const part of parts) events.push(part)
  }
  const events: EngineEvent[] = []
  withoutItems({ ...known, read: many }, { hasFormat: false }).read({}, events)
  expect(events).toHaveLength(parts.length)
})

import { expect, test } from 'vitest'
import { ApiError } from '../../../base/api-error.ts'
import type { ConversationItem } from '../items.ts'
import { buildMessages } from './build-messages.ts'

const user = (text: string): ConversationItem => ({
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  content: [{ type: 'input_text', text }],
  role: 'user',
})
const assistant = (text: string): ConversationItem => ({
  id: 'msg_2',
  type: 'message',
  status: 'completed',
  content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
  role: 'assistant',
})
const call = (id: string): ConversationItem => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: 'completed',
  arguments: '{}',
  call_id: id,
  name: 'look',
})
const output = (id: string): ConversationItem => ({
  id: `fco_${id}`,
  type: 'function_call_output',
  status: 'completed',
  call_id: id,
  output: `result ${id}`,
})
const toolCall = (id: string) => ({ id, name: 'look', arguments: '{}' })
const result = (id: string) => ({ role: 'tool', content: `result ${id}`, toolCallId: id })

test('instructions come first, and text and calls of one turn are one message', () => {
  const items = [user('Hi'), assistant('I look.'), call('a'), call('b'), output('b'), output('a'), user('And?')]
  expect(buildMessages('Be brief.', items)).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'I look.', toolCalls: [toolCall('a'), toolCall('b')] },
    result('a'),
    result('b'),
    { role: 'user', content: 'And?' },
  ])
})

test('a call after an output is a message of its own', () => {
  expect(buildMessages(null, [user('Hi'), call('a'), output('a'), call('b'), output('b')])).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '', toolCalls: [toolCall('a')] },
    result('a'),
    { role: 'assistant', content: '', toolCalls: [toolCall('b')] },
    result('b'),
  ])
})

test('an output that comes late still follows its call', () => {
  expect(buildMessages(null, [call('a'), user('Wait'), output('a')])).toEqual([
    { role: 'assistant', content: '', toolCalls: [toolCall('a')] },
    result('a'),
    { role: 'user', content: 'Wait' },
  ])
})

test('reasoning belongs to what follows it, and the text of a custom tool is its argument', () => {
  const items: ConversationItem[] = [
    { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
    { id: 'ctc_1', type: 'custom_tool_call', call_id: 'a', input: 'x\ny', name: 'patch' },
    {
      id: 'o',
      type: 'custom_tool_call_output',
      status: 'completed',
      call_id: 'a',
      output: [{ type: 'input_text', text: 'Done' }],
    },
  ]
  expect(buildMessages(null, items)).toEqual([
    {
      role: 'assistant',
      content: '',
      reasoning: 'Hm',
      toolCalls: [{ id: 'a', name: 'patch', arguments: '{"input":"x\\ny"}' }],
    },
    { role: 'tool', content: 'Done', toolCallId: 'a' },
  ])
})

const refusal = (items: ConversationItem[]): string => {
  try {
    buildMessages(null, items)
    return 'accepted'
  } catch (error) {
    return error instanceof ApiError ? `${error.status} ${error.options.param}: ${error.message}` : String(error)
  }
}

test('a call without an output and an output without a call are refused by name', () => {
  expect(refusal([user('Hi'), call('a')])).toBe('400 input: No tool output found for function call a.')
  expect(refusal([output('a')])).toBe('400 input: No tool call found for function call output with call_id a.')
  expect(refusal([output('a'), call('a')])).toBe(
    '400 input: No tool call found for function call output with call_id a.',
  )
})

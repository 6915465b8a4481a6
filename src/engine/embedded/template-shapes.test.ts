import { expect, test } from 'vitest'
import { talk } from '../../../test/harness/engine-request.ts'
import { TemplateRefused } from './template.ts'
import { templateVariables } from './template-shapes.ts'

const shapes = (...given: Parameters<typeof talk>) => templateVariables(talk(...given), (text) => text)

test('a tool is written as OpenAI writes it, without what it lacks', () => {
  const parameters = { type: 'object', properties: { b: {}, a: {} } }
  const { tools } = shapes('hi', {
    tools: [
      { name: 'one', description: 'First.', parameters: JSON.stringify(parameters) },
      { name: 'two', description: null, parameters: null },
    ],
  })
  expect(JSON.stringify(tools)).toBe(
    JSON.stringify([
      { type: 'function', function: { name: 'one', description: 'First.', parameters } },
      { type: 'function', function: { name: 'two' } },
    ]),
  )
  expect(shapes('hi').tools).toBeNull()
})

test('calls, results and thoughts keep their place; arguments are an object where they can be', () => {
  const call = (text: string) => ({ id: 'c', name: 'f', arguments: text })
  const { messages } = shapes([
    { role: 'assistant', content: '', reasoning: 'hm', toolCalls: [call('{"a":[1]}'), call('[1]'), call('{"a"')] },
    { role: 'tool', content: '42', toolCallId: 'c' },
  ])
  const written = (argument: unknown) => ({ id: 'c', type: 'function', function: { name: 'f', arguments: argument } })
  expect(messages).toEqual([
    {
      role: 'assistant',
      content: '',
      reasoning_content: 'hm',
      tool_calls: [written({ a: [1] }), written('[1]'), written('{"a"')],
    },
    { role: 'tool', content: '42', tool_call_id: 'c' },
  ])
})

test('variables of the request cannot take the place of the conversation', () => {
  const templateVariables = { messages: [], tools: ['x'], add_generation_prompt: false, enable_thinking: false }
  expect(shapes('hi', { templateVariables })).toEqual({
    messages: [{ role: 'user', content: 'hi' }],
    tools: null,
    add_generation_prompt: true,
    enable_thinking: false,
  })
})

test('a variable that is no JSON is refused', () => {
  for (const odd of [new Date(0), () => 1, Symbol('x'), 1n])
    expect(() => shapes('hi', { templateVariables: { odd: [odd] } })).toThrow(TemplateRefused)
})

test('only an answer is opened by the template', () => {
  const openings = ['answer', 'continue', 'none'] as const
  expect(openings.map((opening) => shapes('hi', { opening }).add_generation_prompt)).toEqual([true, false, false])
})

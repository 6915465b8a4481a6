import { expect, test } from 'vitest'
import { buildRequest } from './build-request.ts'
import { checkSettings } from './check-settings.ts'
import { contentOfRequest } from './content-of-request.ts'

test('a stored request is opened so that the same would be sent again', () => {
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const request = {
    model: 'helix-v1',
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'done' },
      { role: 'user', content: 'And?' },
    ],
    temperature: 0.5,
    max_completion_tokens: 9,
    stop: ['a\nb'],
    tools: [tool],
    tool_choice: 'required',
  }
  const content = contentOfRequest(JSON.stringify(request))
  if (content === null) throw new Error('it was not read')
  expect(content.draft).toBe('And?')
  const { options, errors } = checkSettings(content.settings)
  expect(errors).toEqual({})
  const turns = [...content.turns, { kind: 'sent' as const, id: 'draft', text: content.draft }]
  expect(buildRequest({ ...content, turns, options })).toMatchObject(request)
})

test.each(['', '{}', '{"messages":1}', '{"input":"x"}', '[1'])('%j is no chat request', (text) => {
  expect(contentOfRequest(text)).toBeNull()
})

test('parts that are no text, and old names of fields, are understood', () => {
  const content = contentOfRequest(
    '{"messages":[{"role":"user","content":[{"type":"text","text":"See"},{"type":"image_url"}]}],"max_tokens":5,"stop":"x"}',
  )
  expect(content).toMatchObject({ draft: 'See', turns: [], settings: { max_completion_tokens: '5', stop: 'x' } })
})

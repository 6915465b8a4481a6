import { expect, test } from 'vitest'
import { checkSettings, fieldOfParam } from './check-settings.ts'
import { defaultSettings, withoutField } from './settings.ts'

const check = (part: Partial<typeof defaultSettings>) => checkSettings({ ...defaultSettings, ...part })

test('what is at its default is not sent', () => {
  expect(check({})).toEqual({ options: {}, errors: {} })
})

test('numbers go out as numbers', () => {
  expect(check({ temperature: '0', max_completion_tokens: '12', seed: '-3' }).options).toEqual({
    temperature: 0,
    max_completion_tokens: 12,
    seed: -3,
  })
})

test.each([
  ['temperature', '2.5'],
  ['temperature', 'warm'],
  ['max_completion_tokens', '0'],
  ['max_completion_tokens', '1.5'],
  ['seed', '1e400'],
] as const)('%s cannot be %s', (name, text) => {
  const { options, errors } = check({ [name]: text })
  expect(options).toEqual({})
  expect(errors[name]).toMatchObject({ code: 'number' })
})

test('texts to stop at stand one on each line', () => {
  expect(check({ stop: 'END\n\n\\n\\n' }).options.stop).toEqual(['END', '\n\n'])
  expect(check({ stop: 'a\nb\nc\nd\ne' }).errors.stop).toEqual({ code: 'too_many_stops' })
})

test('a schema that is missing is no broken JSON', () => {
  expect(check({ format: 'schema', schema: ' ' }).errors.schema).toEqual({ code: 'no_schema' })
})

test('without a schema the answer is text again, and the form can be sent', () => {
  const settings = withoutField({ ...defaultSettings, format: 'schema', schema: '{', seed: '5' }, 'schema')
  expect(settings).toEqual({ ...defaultSettings, seed: '5' })
  expect(checkSettings(settings).errors).toEqual({})
})

test('tools have to be JSON, and tools', () => {
  expect(check({ tools: '[' }).errors.tools).toMatchObject({ code: 'not_json' })
  expect(check({ tools: '{}' }).errors.tools).toEqual({ code: 'not_tools' })
  const tool = { type: 'function', function: { name: 'f' } }
  expect(check({ tools: JSON.stringify([tool]) }).options).toEqual({ tools: [tool], tool_choice: 'auto' })
})

test('a reasoning effort is sent only if one was chosen', () => {
  expect(check({ reasoningEffort: '' }).options).toEqual({})
  expect(check({ reasoningEffort: 'none' }).options).toEqual({ reasoning_effort: 'none' })
})

test('a schema counts only while it is asked for', () => {
  expect(check({ schema: '{' })).toEqual({ options: {}, errors: {} })
  expect(check({ schema: '[]', format: 'schema' }).errors.schema).toEqual({ code: 'not_schema' })
  expect(check({ schema: '{"type":"object"}', format: 'schema' }).options.response_format).toEqual({
    type: 'json_schema',
    json_schema: { name: 'answer', strict: true, schema: { type: 'object' } },
  })
})

test('a refusal of the server finds its field', () => {
  expect(fieldOfParam('tools[0].function.parameters')).toBe('tools')
  expect(fieldOfParam('response_format.json_schema')).toBe('schema')
  expect(fieldOfParam('top_p')).toBe('top_p')
  expect(fieldOfParam('messages[0].content')).toBeNull()
  expect(fieldOfParam(null)).toBeNull()
})

import { expect, test } from 'vitest'
import { buildRequest } from './build-request.ts'
import { fillVariables, variableNames } from './prompt-variables.ts'

test('names are found once each, in any script, and never more than a table shows', () => {
  expect(variableNames(['In {{city}} and {{ city }}, {{都市}}', '{{no space}} {{}} {{city}} {{user.name}}'])).toEqual([
    'city',
    '都市',
    'user.name',
  ])
  expect(variableNames([Array.from({ length: 300 }, (_, at) => `{{v${at}}}`).join('')])).toHaveLength(200)
})

test('values take the place of names; what has none stays as it was typed', () => {
  expect(fillVariables('{{a}} {{ b }} {{c}}', { a: '$& {{b}}', b: '' })).toBe('$& {{b}} {{ b }} {{c}}')
  expect(fillVariables('{{constructor}}', {})).toBe('{{constructor}}')
})

test('what is sent has the values, in the system prompt and in messages, but not in answers', () => {
  const { messages } = buildRequest({
    ...{ model: 'a', system: 'Speak {{language}}.', options: {}, variables: { language: 'French', city: 'Kyoto' } },
    turns: [{ kind: 'sent', id: 'a', text: 'Where is {{city}}?' }],
  })
  expect(messages).toEqual([
    { role: 'system', content: 'Speak French.' },
    { role: 'user', content: 'Where is Kyoto?' },
  ])
})

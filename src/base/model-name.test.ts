import { expect, test } from 'vitest'
import { isModelName, shownModelName } from './model-name.ts'

test.each([
  'helix-v1',
  'org/model:tag',
  '/data/models/Qwen3',
  'a..b',
  '日本語モデル',
  'my model',
  'v1.',
  'x'.repeat(200),
])('a model can be called %s', (name) => expect(isModelName(name)).toBe(true))

test.each([
  ...['', '..', '.', '../x', 'a/../b', 'a/..', '..\\x', './a', '__proto__', 'constructor', 'toString'],
  ...['a\u0000b', 'a\nb', 'a\u001b[31m', 'a\u202eb', 'a\u200bb', 'a\u2028b', 'x'.repeat(201)],
])('a model cannot be called %j', (name) => expect(isModelName(name)).toBe(false))

test('a name that was sent is shown as one bounded line', () => {
  expect(shownModelName(`a\u001b[31m\nb${'x'.repeat(500)}`)).toBe(`a?[31m?b${'x'.repeat(92)}`)
})

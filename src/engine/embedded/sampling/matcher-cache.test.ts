import { expect, test } from 'vitest'
import { compileGrammar } from '../../../grammar/compile-grammar.ts'
import { choiceGrammar } from '../../../grammar/regex-grammar.ts'
import { createMatcherCache } from './matcher-cache.ts'

const grammar = (...choices: string[]) => compileGrammar(choiceGrammar(choices))

test('the same grammar gives the same matcher, but not to another organisation', () => {
  const cache = createMatcherCache()
  const first = cache.get('a', grammar('yes', 'no'))
  expect(cache.get('a', grammar('yes', 'no'))).toBe(first)
  expect(cache.get('b', grammar('yes', 'no'))).not.toBe(first)
  expect(cache.get('a', grammar('yes'))).not.toBe(first)
})

test('matchers that were not used for long are dropped', () => {
  const cache = createMatcherCache()
  const first = cache.get('a', grammar('yes'))
  for (let other = 0; other < 20; other += 1) cache.get('a', grammar(`other ${other}`))
  expect(cache.get('a', grammar('yes'))).not.toBe(first)
})

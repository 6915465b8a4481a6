import fc from 'fast-check'
import { expect, test } from 'vitest'
import { speakGrammar } from '../../test/harness/speak-grammar.ts'
import type { Grammar } from './grammar.ts'
import { createMatcher } from './matcher.ts'
import { PatternRefused } from './pattern-refused.ts'
import { choiceGrammar, regexGrammar, searchNode } from './regex-grammar.ts'

const accepts = (grammar: Grammar, said: string): boolean => {
  const matcher = createMatcher(grammar)
  const end = matcher.advance(matcher.start, Buffer.from(said))
  return end !== null && matcher.mayEnd(end)
}

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'é',
    '🐈',
    '\\d',
    '\\w',
    '\\s',
    '\\D',
    '\\W',
    '\\S',
    '.',
    '\\.',
    '\\n',
    '\\x61',
    '\\u0062',
    '\\u{1F408}',
  ],
  ...['[ab]', '[^a]', '[a-c\\d]', '[^\\w]', '[\\]\\-^]', '[^]', '\\ud83d\\udc08', '[é-ü🐈]', '\\cJ', '\\0', '\\/'],
)
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{1,3}?', '{0}')
const pattern = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(atom, quantifier).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<name>'), tie('pattern'), quantifier)
      .map(([open, inner, count]) => `${inner.includes('?<name>') ? '(?:' : open}${inner})${count}`),
  ),
  pattern: fc
    .array(
      fc.array(tie('piece'), { maxLength: 3 }).map((pieces) => pieces.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .map((options) => options.join('|')),
})).pattern
const oneName = pattern.filter((drawn) => drawn.split('?<name>').length <= 2)
const texts = fc.array(
  fc
    .array(fc.constantFrom('a', 'b', 'c', '1', '.', 'é', '🐈', '\n', ' ', '-', ']', '\0'), { maxLength: 5 })
    .map((all) => all.join('')),
  { maxLength: 20 },
)
const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))

test('a pattern takes the texts that it matches from end to end', () => {
  fc.assert(
    fc.property(oneName, texts, random, (drawn, candidates, numbers) => {
      const expression = new RegExp(`^(?:${drawn})$`, 'u')
      const grammar = regexGrammar(drawn)
      for (const said of candidates) expect(accepts(grammar, said), `${drawn} on ${said}`).toBe(expression.test(said))
      const spoken = speakGrammar(grammar, () => Number(numbers.next().value), { maxBytes: 10 })
      expect(accepts(grammar, spoken)).toBe(true)
      // The engine's own expressions can take for ever on longer texts.
      if (spoken.length <= 12) expect(spoken, drawn).toMatch(expression)
    }),
    { numRuns: 500 },
  )
})

test('a pattern of a schema is looked for anywhere, as far as it has no anchors', () => {
  const anchored = fc.tuple(fc.boolean(), oneName, fc.boolean()).map(([start, inner, end]) => {
    const group = `(?:${inner})`
    return `${start ? '^' : ''}${group}${end ? '$' : ''}`
  })
  fc.assert(
    fc.property(fc.oneof(anchored, fc.constantFrom('^a|b$', '^a|b|c$')), texts, (drawn, candidates) => {
      const grammar = { root: 'root', rules: { root: searchNode(drawn) } }
      const expression = new RegExp(drawn, 'u')
      for (const said of candidates) expect(accepts(grammar, said), `${drawn} on ${said}`).toBe(expression.test(said))
    }),
    { numRuns: 300 },
  )
})

test('anchors at the ends change nothing where the whole text must match', () => {
  expect(accepts(regexGrammar('^ab|cd$'), 'ab')).toBe(true)
  expect(accepts(regexGrammar('^ab|cd$'), 'abcd')).toBe(false)
})

test('what Python writes differently is understood', () => {
  expect(accepts(regexGrammar('(?P<year>\\d{4})\\-x\\"\\ '), '2024-x" ')).toBe(true)
  expect(accepts(regexGrammar('{"a": [}]'), '{"a": }')).toBe(true)
})

test('what a grammar cannot follow is refused with a reason', () => {
  const refused: [string, RegExp][] = [
    ['a(?=b)', /lookahead/],
    ['(?<!a)b', /lookbehind/],
    ['(a)\\1', /backreferences/],
    ['(?P<x>a)(?P=x)', /backreferences/],
    ['\\bword\\b', /word boundaries/],
    ['a^b', /anchor/],
    ['(a$|b)c', /anchor/],
    ['a$b', /anchor/],
    ['(?i)a', /flags/],
    ['\\p{L}', /Unicode property/],
    ['\\q', /escape/],
    ['\\Aa', /anchor/],
    ['*a', /nothing to repeat/],
    ['{2}', /nothing to repeat/],
    ['a**', /quantifier/],
    ['a{3,2}', /minimum above its maximum/],
    ['a{,3}', /\{0,n\}/],
    ['a{999999999999}', /too large/],
    ['[b-a]', /out of order/],
    ['[a', /not closed/],
    ['(a', /not closed/],
    ['a)', /not opened/],
    ['a\\', /ends unexpectedly/],
    ['[]', /matches no text/],
    ['\\ud800', /matches no text/],
    ['a'.repeat(20_000), /longer/],
    ['('.repeat(5_000), /deep/],
  ]
  for (const [drawn, reason] of refused) {
    expect(() => regexGrammar(drawn), drawn.slice(0, 50)).toThrow(PatternRefused)
    expect(() => regexGrammar(drawn), drawn.slice(0, 50)).toThrow(reason)
  }
})

test('one of several choices is taken as a whole', () => {
  const grammar = choiceGrammar(['yes', 'yes, please', 'いいえ', 'yes'])
  for (const said of ['yes', 'yes, please', 'いいえ']) expect(accepts(grammar, said)).toBe(true)
  for (const said of ['', 'ye', 'yes,', 'いい', 'no']) expect(accepts(grammar, said)).toBe(false)
  expect(() => choiceGrammar([])).toThrow(PatternRefused)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { speakGrammar } from '../../test/harness/speak-grammar.ts'
import {
  charClass,
  chars,
  choice,
  empty,
  type Grammar,
  GrammarRefused,
  repeat,
  rule,
  sequence,
  text,
} from './grammar.ts'
import { createMatcher, type Matcher } from './matcher.ts'

const accepts = (matcher: Matcher, bytes: Uint8Array | string): boolean => {
  const end = matcher.advance(matcher.start, Buffer.from(bytes))
  return end !== null && matcher.mayEnd(end)
}

/** Lists in lists, with words of which some begin others. */
const lists: Grammar = {
  root: 'list',
  rules: {
    list: sequence(text('['), rule('items'), text(']')),
    items: choice(empty, sequence(rule('item'), repeat(sequence(text(','), rule('item')), 0, 3))),
    item: choice(rule('list'), text('no'), text('none'), text('nö'), repeat(chars('0-9'), 2, 4)),
  },
}

test('exactly the valid forms of UTF-8 are characters', () => {
  const matcher = createMatcher({ root: 'text', rules: { text: repeat(charClass([0, 0x10ffff])) } })
  const isValid = (bytes: Uint8Array): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
      return true
    } catch {
      return false
    }
  }
  const lead = fc.constantFrom(0x7f, 0x80, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xf0, 0xf1, 0xf4, 0xf5)
  const tail = fc.constantFrom(0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0)
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.tuple(lead, tail, tail, tail).map((all) => Uint8Array.from(all)),
  )
  fc.assert(
    fc.property(bytes, fc.nat({ max: 4 }), (drawn, cut) => {
      const some = drawn.subarray(0, drawn.length - cut)
      expect(accepts(matcher, some)).toBe(isValid(some))
    }),
    { numRuns: 3_000 },
  )
})

test('a class takes its characters and no others', () => {
  const point = fc.oneof(
    fc.integer({ min: 0, max: 0x10ffff }),
    fc.constantFrom(0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000),
  )
  const range = fc.tuple(point, point).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 4 }), fc.array(point), (ranges, points) => {
      const matcher = createMatcher({ root: 'one', rules: { one: choice(charClass(...ranges), text('!!')) } })
      for (const candidate of [...points, ...ranges.flat(), ...ranges.map(([low]) => Math.max(low - 1, 0))]) {
        if (candidate >= 0xd800 && candidate <= 0xdfff) continue
        const isIn = ranges.some(([low, high]) => low <= candidate && candidate <= high)
        expect(accepts(matcher, String.fromCodePoint(candidate))).toBe(isIn)
      }
    }),
  )
})

test('bytes may stop within a character, if it can be finished', () => {
  const matcher = createMatcher({ root: 'name', rules: { name: repeat(charClass([0x3040, 0x30ff]), 1, 2) } })
  const [first, second, third] = Buffer.from('あ')
  const half = matcher.advance(matcher.start, Uint8Array.of(first ?? 0, second ?? 0))
  expect(half !== null && matcher.mayEnd(half)).toBe(false)
  const whole = half === null ? null : matcher.advance(half, Uint8Array.of(third ?? 0))
  expect(whole !== null && matcher.mayEnd(whole) && !matcher.mustEnd(whole)).toBe(true)
  expect(matcher.advance(matcher.start, Buffer.from('中').subarray(0, 1))).toBeNull()
})

test('a matcher that keeps forgetting gives the same answers, also for places that are held meanwhile', () => {
  const steady = createMatcher(lists)
  const forgetful = createMatcher(lists, { maxStates: 2, maxStacks: 3 })
  const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  fc.assert(
    fc.property(random, fc.nat(), fc.nat({ max: 255 }), (numbers, place, byte) => {
      const bytes = Buffer.from(speakGrammar(lists, () => Number(numbers.next().value), { maxBytes: 80 }))
      expect(accepts(steady, bytes)).toBe(true)
      const cut = place % bytes.length
      const held = forgetful.advance(forgetful.start, bytes.subarray(0, cut))
      expect(accepts(forgetful, bytes)).toBe(true)
      const end = held === null ? null : forgetful.advance(held, bytes.subarray(cut))
      expect(end !== null && forgetful.mustEnd(end)).toBe(true)
      bytes[cut] = byte
      expect(accepts(forgetful, bytes)).toBe(accepts(steady, bytes))
    }),
  )
})

test('equal places are found to be one', () => {
  const matcher = createMatcher(lists)
  const after = (said: string) => matcher.advance(matcher.start, Buffer.from(said))
  expect(after('[12,no')).toBe(after('[nö,no'))
  expect(after('[[],')).not.toBe(after('[[],12,'))
})

test('repetitions of what may be empty come to an end', () => {
  const inner = choice(empty, repeat(text('a'), 0, 2), text('b'))
  for (const max of [null, 3, 100_000]) {
    const matcher = createMatcher({ root: 'root', rules: { root: repeat(repeat(inner, 0, max), 2, max) } })
    expect(accepts(matcher, '')).toBe(true)
    expect(accepts(matcher, 'abba')).toBe(true)
    expect(accepts(matcher, 'abc')).toBe(false)
  }
  const three = createMatcher({ root: 'root', rules: { root: repeat(inner, 0, 3) } })
  expect(accepts(three, 'aabaa')).toBe(true)
  expect(accepts(three, 'bbbb')).toBe(false)
})

test('large counts are counted, not written out', () => {
  const matcher = createMatcher({ root: 'root', rules: { root: repeat(chars('ab'), 3, 30_000) } })
  expect(accepts(matcher, 'ab')).toBe(false)
  expect(accepts(matcher, 'aba')).toBe(true)
  expect(accepts(matcher, 'a'.repeat(30_000))).toBe(true)
  expect(accepts(matcher, 'a'.repeat(30_001))).toBe(false)
})

test('a grammar that can be read in millions of ways is still followed', () => {
  const wild = repeat(repeat(repeat(text('a'), 0, 300), 0, 300), 0, 300)
  const matcher = createMatcher({ root: 'root', rules: { root: sequence(wild, text('!')) } })
  expect(accepts(matcher, `${'a'.repeat(200)}!`)).toBe(true)
  expect(accepts(matcher, `${'a'.repeat(200)}?`)).toBe(false)
})

test('thousands of words are one choice', () => {
  const words = Array.from({ length: 6_000 }, (_, index) => `word-${index}`)
  const matcher = createMatcher({ root: 'root', rules: { root: choice(...words.map(text)) } })
  expect(words.every((word) => accepts(matcher, word))).toBe(true)
  expect(accepts(matcher, 'word-6000')).toBe(false)
})

test('parts that can never end are not offered', () => {
  const endless = sequence(text('('), rule('endless'), text(')'))
  const matcher = createMatcher({ root: 'root', rules: { root: choice(text('x'), rule('endless')), endless } })
  expect(matcher.allowsByte(matcher.start, 0x28)).toBe(false)
  expect(matcher.allowsByte(matcher.start, 0x78)).toBe(true)
})

test('grammars that nobody can follow are refused', () => {
  const refused: Grammar[] = [
    { root: 'a', rules: { a: choice(text('x'), sequence(rule('a'), text('y'))) } },
    {
      root: 'a',
      rules: { a: choice(text('x'), sequence(repeat(text('z')), rule('b'))), b: sequence(empty, rule('a')) },
    },
    { root: 'a', rules: { a: sequence(text('('), rule('a')) } },
    { root: 'a', rules: { a: rule('b') } },
    { root: 'toString', rules: {} },
    { root: 'a', rules: { a: charClass() } },
    { root: 'a', rules: { a: repeat(text('x'), 3, 2) } },
    { root: 'a', rules: { a: repeat(text('x'), 1e12) } },
  ]
  for (const grammar of refused) expect(() => createMatcher(grammar), JSON.stringify(grammar)).toThrow(GrammarRefused)
})

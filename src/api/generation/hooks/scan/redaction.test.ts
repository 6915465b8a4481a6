import fc from 'fast-check'
import { expect, test } from 'vitest'
import { secretShapes } from '../../../../config/hook-setting.ts'
import { compilePattern } from './compile-pattern.ts'
import { createPatternScanner } from './pattern-scanner.ts'
import { Redaction } from './redaction.ts'
import { createScannerSet } from './scanner-set.ts'
import { secretScanners, secretSigns } from './secret-scanners.ts'

const byShape = new Map(secretShapes.map((shape) => [shape, createScannerSet(secretScanners[shape]())]))
const secrets = createScannerSet(secretShapes.flatMap((shape) => secretScanners[shape]()))
const whole = (text: string, set = secrets): string => {
  const redaction = new Redaction(set)
  return redaction.push(text) + redaction.end()
}
const byPattern = (pattern: string) => createScannerSet([createPatternScanner(compilePattern(pattern))])

test.each([
  ['my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789, keep it', 'my key is [redacted], keep it'],
  ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
  [`ghp_${'a1'.repeat(18)}.`, '[redacted].'],
  ['write to anna.b@example.co.jp today', 'write to [redacted] today'],
  ['card 4111 1111 1111 1111, or 5500-0000-0000-0004.', 'card [redacted], or [redacted].'],
  ['ext 12345 4111 1111 1111 1111', 'ext 12345 [redacted]'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----', '[redacted]'],
  ['日本語の鍵はsk-ではない', '日本語の鍵はsk-ではない'],
])('%s', (text, expected) => {
  expect(whole(text)).toBe(expected)
})

test.each([
  'the risk-management-framework-overview-of-the-whole-company',
  'in 1763430000000 ms, or 4111 1111 1111 1112',
  'an order of 12345678901234567890123 pieces',
  'a@b, sk-short, AKIA and BEGIN PRIVATE KEY',
])('%s stays', (text) => {
  expect(whole(text)).toBe(text)
})

test('it does not matter how a text is divided', () => {
  const piece = fc.constantFrom('4111 1111 ', '1111 1111', 'sk-', 'abcdefghijklmnop', 'a@b.c', ' ', '-----BEGIN ', '鍵')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(7), (pieces, step) => {
      const text = pieces.join('')
      const redaction = new Redaction(secrets)
      let divided = ''
      for (let at = 0; at < text.length; at += step + 1) divided += redaction.push(text.slice(at, at + step + 1))
      expect(divided + redaction.end()).toBe(whole(text))
    }),
  )
})

test('nor where reading it was interrupted', () => {
  const piece = fc.constantFrom(
    '4111 1111 ',
    '1111 1111',
    'sk-',
    'abcdefghijklmnop',
    'a@b.c',
    ' ',
    '-----BEGIN ',
    '鍵',
    '🔑',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), (pieces, maxSteps) => {
      const text = pieces.join('')
      const redaction = new Redaction(secrets)
      let divided = ''
      for (let at = 0; at < text.length; ) {
        const { passed, to } = redaction.read(text, at, maxSteps)
        divided += passed
        at = to
      }
      expect(divided + redaction.end()).toBe(whole(text))
    }),
  )
})

test('it is interrupted after about as many steps as it was given, however much one character takes', () => {
  const redaction = new Redaction(byPattern('([a-z]{0,20}){0,5}[0-9]'))
  const text = 'a'.repeat(400)
  const most = Math.max(...readInTurns(redaction, text, 1000))
  expect(most).toBeGreaterThanOrEqual(1000)
  // The last character of a turn may take as many as the pattern has pairs.
  expect(most).toBeLessThan(21_000)
})

const readInTurns = (redaction: Redaction, text: string, maxSteps: number): number[] => {
  const taken: number[] = []
  for (let at = 0; at < text.length; ) {
    const { to, steps } = redaction.read(text, at, maxSteps)
    taken.push(steps)
    at = to
  }
  return taken
}

test('a pattern finds what a regular expression of the same text finds', () => {
  const character = fc.constantFrom('a', 'b', 'c', ' ', '鳥', '🦅')
  const patterns = ['ab+', '(a|bc)c', 'a{2,3}b?', '[^a]c', 'a(bc)*', '\\bab']
  fc.assert(
    fc.property(fc.constantFrom(...patterns), fc.string({ unit: character, maxLength: 12 }), (pattern, text) => {
      expect(whole(text, byPattern(pattern)) === text).toBe(!new RegExp(pattern, 'u').test(text))
    }),
  )
})

test('what is held back is bounded, whatever the text is', () => {
  const redaction = new Redaction(byPattern('a.*b'))
  let length = 0
  for (let round = 0; round < 50; round += 1) length += redaction.push('a'.repeat(100)).length
  expect(5000 - length).toBeLessThanOrEqual(1024)
})

test('a pattern that makes others backtrack takes a bounded number of steps for each character', () => {
  const budget = { steps: 100_000 }
  const read = new Redaction(byPattern('(a+)+b'), budget)
  expect(read.push('a'.repeat(10_000)) + read.end()).toBe('a'.repeat(10_000))
  expect(read.hasGivenUp).toBe(false)
  const redaction = new Redaction(byPattern('(a|b|ab)*c'), { steps: 100 })
  expect(redaction.push('ab'.repeat(1000))).toBe('ab'.repeat(1000))
  expect(redaction.hasGivenUp).toBe(true)
})

test.each([
  ['a*', 'the empty text'],
  ['^a', 'anchors'],
  ['a$', 'anchors'],
  ['(?=a)', 'lookahead'],
  ['(a{1000}){1000}', 'too'],
  ['(a', 'not closed'],
])('the pattern %s is refused', (pattern, reason) => {
  expect(() => compilePattern(pattern)).toThrow(reason)
})

test('a text without the sign of a secret has none', () => {
  const piece = fc.constantFrom(
    ...[
      'sk-',
      'rk_test_',
      'gsk_',
      'AIza',
      'AKIA',
      'ghp_',
      'hf_',
      'xoxb-',
      'a'.repeat(31),
      'b',
      'Z9'.repeat(20),
      '_',
      '-',
    ],
    ...['-----BEGIN ', 'RSA ', 'PRIVATE KEY-----', '4111 1111 1111 1111', '4111-1111', '11111111', ' ', '\n', '.', 'é'],
    ...['anna@', 'example', '.org', '@', '日本'],
  )
  const holds = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
    const text = pieces.join('')
    for (const shape of secretShapes)
      if (!secretSigns[shape].test(text)) expect(whole(text, byShape.get(shape))).toBe(text)
  })
  fc.assert(holds, { numRuns: 500 })
})

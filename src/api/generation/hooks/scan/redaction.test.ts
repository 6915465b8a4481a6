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
const whole = (text: string, set = secrets, isJson = false): string => {
  const redaction = new Redaction(set, { isJson })
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
  [`鍵はsk-${'a1'.repeat(20)}です`, '鍵は[redacted]です'],
  ['カード番号：４１１１　１１１１　１１１１　１１１１', 'カード番号：[redacted]'],
  ['4111\u00a01111\u00a01111\u00a01111 and 4111ー1111ー1111ー1111', '[redacted] and [redacted]'],
  ['連絡先はａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍまで', '連絡先は[redacted]まで'],
  ['müller@example.de', '[redacted]'],
  [`hx_live_${'a1b'.repeat(13)} of this server`, '[redacted] of this server'],
  [`pplx-${'a1'.repeat(24)}, npm_${'a1'.repeat(18)}`, '[redacted], [redacted]'],
  ['3782 822463 10005, 6200 0000 0000 0000 000', '[redacted], [redacted]'],
])('%s', (text, expected) => {
  expect(whole(text)).toBe(expected)
})

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signature = 'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c'
const token = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: '1234567890', name: 'Jo' })}.${signature}`
const longToken = `${part({ alg: 'RS256' })}.${part({ groups: 'g'.repeat(4_000) })}.${signature.repeat(8)}`
const encrypted = `${part({ alg: 'dir', enc: 'A128GCM' })}..${signature}.${signature}.${signature}`
const aws = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE+ey'

test.each([token, longToken, encrypted])('a JSON Web Token is found, escaped or not: %s', (secret) => {
  expect(whole(`Authorization: Bearer ${secret}, and more`)).toBe('Authorization: Bearer [redacted], and more')
  for (const text of [`token\n${secret}\nend`, `${secret}"`]) {
    const left = text.replace(secret, '[redacted]')
    expect(whole(JSON.stringify({ text }), secrets, true)).toBe(JSON.stringify({ text: left }))
    expect(whole(JSON.stringify(JSON.stringify({ text })))).toBe(JSON.stringify(JSON.stringify({ text: left })))
  }
})

test.each([
  `AWS_SECRET_ACCESS_KEY=${aws}`,
  `aws_secret_access_key = ${aws}\nregion = eu-west-1`,
  `export TF_VAR_AWS_SECRET_ACCESS_KEY="${aws}"`,
  `  secretAccessKey:    '${aws}',`,
  `<SecretAccessKey>${aws}</SecretAccessKey>`,
  `Secret access key:\r\n**\`${aws}\`**`,
  `secret_key => "${aws}"`,
])('an AWS secret access key is found beside its name, and the name stays: %s', (text) => {
  const left = text.replace(aws, '[redacted]')
  expect(whole(text)).toBe(left)
  expect(whole(JSON.stringify({ text }), secrets, true)).toBe(JSON.stringify({ text: left }))
  expect(whole(JSON.stringify(JSON.stringify({ text })))).toBe(JSON.stringify(JSON.stringify({ text: left })))
})

test.each([
  `{"SecretAccessKey":"${aws.replaceAll('/', '\\/')}"}`,
  `{"SecretAccessKey":"${aws.replaceAll('+', '\\u002B').replaceAll('/', '\\u002f')}"}`,
])('also where JSON escapes its characters: %s', (text) => {
  expect(whole(text, secrets, true)).toBe('{"SecretAccessKey":"[redacted]"}')
  const inner = JSON.stringify(JSON.stringify(text)).replaceAll('\\"', '\\u0022')
  expect(whole(inner)).toBe(inner.replace(/wJal[^"]*?ey(?=\\)/, '[redacted]'))
})

test('however often a token or the name of a key begins, each character takes a bounded number of steps', () => {
  const beginnings = [
    'secret_key:',
    `secret_key : ${aws.slice(1)}`,
    `secretKey${'\\u0022'.repeat(12)}`,
    's',
    token.slice(0, 20),
  ]
  for (const beginning of [...beginnings, `${token.slice(0, 20)}.`, `${token}.`])
    for (const length of [10_000, 40_000]) {
      const text = beginning.repeat(Math.ceil(length / beginning.length))
      const budget = { steps: 40 * text.length }
      const redaction = new Redaction(byShape.get('api_keys') ?? secrets, { budget })
      redaction.push(text)
      expect([beginning, redaction.hasGivenUp]).toEqual([beginning, false])
    }
})

test.each([
  aws,
  `commit da39a3ee5e6b4b0d3255bfef95601890afd80709, whose secret is short`,
  `The secret key is kept in /etc/helix/secrets.key, and the other secret access key: see there.`,
  'eyJhbGciOiJIUzI1NiJ9 is a header, and eyJhbGciOiJIUzI1NiJ9.eyJ… an example',
])('what is no token and has no name stays: %s', (text) => {
  expect(whole(text)).toBe(text)
})

test('digits with letters between them are no sign of a card', () => {
  expect(secretSigns.cards.test('4111 1111-1111\u30fc1111')).toBe(true)
  for (const between of ['a', '.', ',', '\n'])
    expect(secretSigns.cards.test(Array(16).fill('1').join(between))).toBe(false)
})

const armour = (kind: string, ...lines: string[]): string =>
  [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join('\n')
test.each([
  armour('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0A1B', '', 'MIIEow=='),
  armour(
    'PGP PRIVATE KEY BLOCK',
    'Version: GnuPG v2.0.22 (GNU/Linux)',
    'Comment: https://a.example/?b=c&d',
    '',
    'lQOY',
    '=ab',
  ),
])('a private key is covered up to its end, and what follows stays: %s', (key) => {
  const text = `${key}\nWhat is this key for, please? -----BEGIN CERTIFICATE-----`
  const left = '[redacted]\nWhat is this key for, please? -----BEGIN CERTIFICATE-----'
  expect(whole(text)).toBe(left)
  expect(whole(JSON.stringify({ text }))).toBe(JSON.stringify({ text: left }))
  expect(whole(JSON.stringify(JSON.stringify({ text })))).toBe(JSON.stringify(JSON.stringify({ text: left })))
})

test.each([
  'the risk-management-framework-overview-of-the-whole-company',
  'in 1763430000000 ms, or 4111 1111 1111 1112',
  'an order of 12345678901234567890123 pieces',
  'a@b, sk-short, AKIA and BEGIN PRIVATE KEY',
  'a score of 0.4539148803436467, or -12.5234567890123456',
  'ISBN 978-4-87311-336-4, 978-3-16-148410-0 978-4-87311-336-5',
  'call 090-1234-5678 080-1234-5678 or +81 3-1234-5678',
  'the UUID 45391488-0343-4467-a316-446655440000',
  'on 2026-11-19 03:18 in 12 34 56 78 90 12 34 56',
  'react@19.2.0, @types/node@24.1.0 and user@localhost',
  'the message 1234567890123456789',
])('%s stays', (text) => {
  expect(whole(text)).toBe(text)
})

test('it does not matter how a text is divided', () => {
  const piece = fc.constantFrom(
    '4111 1111 ',
    '1111 1111',
    'sk-',
    'abcdefghijklmnop',
    'a@b.c',
    ' ',
    '-----BEGIN ',
    '鍵',
    token,
    token.slice(0, 30),
    'Secret',
    '_key',
    ': "',
    aws,
  )
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
  const read = new Redaction(byPattern('(a+)+b'), { budget })
  expect(read.push('a'.repeat(10_000)) + read.end()).toBe('a'.repeat(10_000))
  expect(read.hasGivenUp).toBe(false)
  const redaction = new Redaction(byPattern('(a|b|ab)*c'), { budget: { steps: 100 } })
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

test('JSON stays JSON, and keys are found behind its escapes', () => {
  const key = `sk-${'a1b2'.repeat(10)}`
  const piece = fc.constantFrom(
    ...[key, 'anna@example.com', '4111111111111111', armour('PRIVATE KEY', 'MII=')],
    ...['\n', '\t', '"', '\\', 'nine', '鍵', 'é', '{', ': ', ' '],
  )
  const write = (value: unknown, isAscii: boolean): string => {
    const text = JSON.stringify(value)
    return isAscii ? text.replaceAll(/[^ -~]/g, escapeUnit) : text
  }
  const words = fc.array(piece, { maxLength: 8 })
  fc.assert(
    fc.property(words, words, fc.boolean(), fc.nat(9), (one, other, isAscii, step) => {
      const value = { one: one.join(''), card: 4111111111111111, more: [`\n${key}`, JSON.stringify(other.join(''))] }
      const text = write(value, isAscii)
      const redaction = new Redaction(secrets, { isJson: true })
      let left = ''
      for (let at = 0; at < text.length; at += step + 1) left += redaction.push(text.slice(at, at + step + 1))
      left += redaction.end()
      expect(left).toBe(whole(text, secrets, true))
      expect(JSON.parse(left)).toMatchObject({ card: '[redacted]', more: ['\n[redacted]', expect.anything()] })
      expect(() => JSON.parse(JSON.parse(left).more[1])).not.toThrow()
    }),
  )
})

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

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
    ...[token.slice(0, 20), `.${signature}`, 'secret', '_access', 'Key', '=', ': "', '\\u0022', aws],
    ...[
      'anna@',
      'example',
      '.org',
      '@',
      '日本',
      '\\n',
      '\\u3042',
      '\\',
      '４１１１',
      '１１１１１１１１１１１１',
      '＠',
      '．',
      '－',
    ],
  )
  const holds = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
    const text = pieces.join('')
    for (const shape of secretShapes)
      if (!secretSigns[shape].test(text)) expect(whole(text, byShape.get(shape))).toBe(text)
  })
  fc.assert(holds, { numRuns: 500 })
})

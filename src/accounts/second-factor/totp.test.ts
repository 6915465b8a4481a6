import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTotpStep, newTotpSecret, toBase32, totpAddress, totpCode, totpStep } from './totp.ts'

const rfcSecret = Buffer.from('12345678901234567890')

/** RFC 6238, appendix B, the rows of SHA-1: its codes have eight digits, of which ours are the last six. */
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at second %i is that of RFC 6238', (seconds, code) => {
  expect(totpCode(rfcSecret, totpStep(seconds * 1000))).toBe(code.slice(2))
})

/** RFC 4226, appendix D. */
test('the codes of the first ten steps are those of RFC 4226', () => {
  const codes = Array.from({ length: 10 }, (_, step) => totpCode(rfcSecret, step))
  expect(codes).toEqual([
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ])
})

/** RFC 4648, §10, without the padding. */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %j in base 32', (text, written) => {
  expect(toBase32(Buffer.from(text))).toBe(written)
})

const now = 1_234_567_890_000
const codeAt = (steps: number): string => totpCode(rfcSecret, totpStep(now) + steps)

test('a clock may be one step off, and no more', () => {
  const found = [-2, -1, 0, 1, 2].map((off) => findTotpStep(rfcSecret, codeAt(off), now, 0))
  const step = totpStep(now)
  expect(found).toEqual([null, step - 1, step, step + 1, null])
})

test('a used code, or an older one, is not accepted again', () => {
  const step = totpStep(now)
  expect(findTotpStep(rfcSecret, codeAt(0), now, step)).toBeNull()
  expect(findTotpStep(rfcSecret, codeAt(-1), now, step)).toBeNull()
  expect(findTotpStep(rfcSecret, codeAt(1), now, step)).toBe(step + 1)
})

test('anything that is not a code is refused', () => {
  for (const text of ['', '12345', '1234567', 'abcdef', '００００００', `${codeAt(0)}\n`])
    expect(findTotpStep(rfcSecret, text, now, 0)).toBeNull()
})

test('at any time a clock may be up to 30 seconds off', () => {
  const moment = fc.integer({ min: 60_000, max: 4_000_000_000_000 })
  const offMs = fc.integer({ min: -30_000, max: 30_000 })
  fc.assert(
    fc.property(moment, offMs, (atMs, byMs) => {
      const secret = newTotpSecret()
      expect(findTotpStep(secret, totpCode(secret, totpStep(atMs + byMs)), atMs, 0)).toBe(totpStep(atMs + byMs))
    }),
  )
})

test('the address for the app contains the account and the server, correctly encoded', () => {
  const url = new URL(totpAddress(rfcSecret, 'ann+a@example.com', 'helix.example.com:8443'))
  expect(url.href).not.toContain('+')
  expect(decodeURIComponent(url.pathname)).toBe('/Helix (helix.example.com:8443):ann+a@example.com')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Helix (helix.example.com:8443)',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

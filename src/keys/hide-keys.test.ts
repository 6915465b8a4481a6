import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { hideKeys, maskKey } from './hide-keys.ts'
import { mintKey } from './key-format.ts'

test('a masked key shows its ends, and nothing if it is short', () => {
  const key = mintKey()
  expect(maskKey(key)).toBe(`hx_live_${'*'.repeat(32)}${key.slice(-4)}`)
  expect(maskKey('0123456789abcdef')).toBe('01234567****cdef')
  expect(maskKey('0123456789abcde')).toBe('***************')
  expect(maskKey('')).toBe('')
})

test('any text is masked to short printable ASCII that shows at most twelve characters of it', () => {
  const anything = property(string({ unit: 'binary', maxLength: 600, size: 'max' }), (junk) => {
    const shown = maskKey(junk)
    expect(shown.length).toBeLessThanOrEqual(44)
    expect(shown).toMatch(/^[\x20-\x7e]*$/)
    if (junk.length < 16) expect(shown).toMatch(/^\**$/)
    else expect(shown.slice(8, -4)).toMatch(/^\*{4,32}$/)
  })
  assert(anything)
})

test('keys are hidden anywhere in a text', () => {
  const around = string({ unit: 'binary', maxLength: 40 })
  const hidden = property(around, around, (before, after) => {
    const key = mintKey()
    const line = hideKeys(`${before}${key}${after}${key.toLowerCase()}/${key.slice(0, 20)}`)
    expect(line.toLowerCase()).not.toContain(key.slice(8, 20).toLowerCase())
    expect(line).toContain('hx_live_[hidden]')
  })
  assert(hidden)
  const key = mintKey()
  expect(hideKeys(key + key)).toBe('hx_live_[hidden]')
  expect(hideKeys('GET /v1/hx_live_abc?key=hx_live_def')).toBe('GET /v1/hx_live_[hidden]?key=hx_live_[hidden]')
  expect(hideKeys('nothing to hide in hx_live_')).toBe('nothing to hide in hx_live_')
})

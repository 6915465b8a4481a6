import { expect, test } from 'vitest'
import { der } from './der.ts'

const hex = (bytes: Buffer) => bytes.toString('hex')

test('object identifiers are written in base 128, as in the examples of X.690', () => {
  expect(hex(der.oid('1.2.840.113549'))).toBe('06062a864886f70d')
  expect(hex(der.oid('2.999.3'))).toBe('0603883703')
  expect(hex(der.oid('2.5.29.17'))).toBe('0603551d11')
})

test('lengths take one byte up to 127 and say how many they take beyond', () => {
  const head = (length: number) => hex(der.octets(Buffer.alloc(length))).slice(0, -2 * length || undefined)
  expect(head(0)).toBe('0400')
  expect(head(127)).toBe('047f')
  expect(head(128)).toBe('048180')
  expect(head(256)).toBe('04820100')
  expect(head(65_536)).toBe('0483010000')
})

test('an integer with its top bit set stays positive', () => {
  expect(hex(der.integer(Buffer.of(0x7f)))).toBe('02017f')
  expect(hex(der.integer(Buffer.of(0x80)))).toBe('02020080')
})

test('years from 2050 on are written with four digits', () => {
  expect(der.time(Date.UTC(2049, 11, 31, 23, 59, 59)).toString('latin1')).toBe('\x17\x0d491231235959Z')
  expect(der.time(Date.UTC(2050, 0, 1)).toString('latin1')).toBe('\x18\x0f20500101000000Z')
})

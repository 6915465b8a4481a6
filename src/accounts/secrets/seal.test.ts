import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const key = randomBytes(32)
const secret = Buffer.from('12345678901234567890')

test('a sealed secret opens with its key and for its owner only', () => {
  const sealed = createSeal(key).close(secret, 'usr_1')
  expect(sealed).not.toContain(secret.toString('base64url'))
  expect(createSeal(key).open(sealed, 'usr_1')).toEqual(secret)
  expect(createSeal(key).open(sealed, 'usr_2')).toBeNull()
  expect(createSeal(randomBytes(32)).open(sealed, 'usr_1')).toBeNull()
})

test('sealing the same secret twice yields different text', () => {
  const seal = createSeal(key)
  expect(seal.close(secret, 'usr_1')).not.toBe(seal.close(secret, 'usr_1'))
})

test('text that was changed, truncated or never sealed does not open', () => {
  const seal = createSeal(key)
  const sealed = seal.close(secret, 'usr_1')
  const changed = `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'B' : 'A'}`
  for (const text of [changed.replace('v1.A', 'v1.B'), sealed.slice(0, 30), '', 'v1.'])
    expect(seal.open(text, 'usr_1')).toBeNull()
})

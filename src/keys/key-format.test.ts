import { assert, constantFrom, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { hashKey, isWellFormed, mintKey } from './key-format.ts'

const digits = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

test('every minted key is well formed and unique', () => {
  const keys = Array.from({ length: 1_000 }, mintKey)
  for (const key of keys) expect(key).toMatch(/^hx_live_[0-9A-Za-z]{39}$/)
  expect(keys.every(isWellFormed)).toBe(true)
  expect(new Set(keys).size).toBe(keys.length)
})

test('a single wrong character is detected without a lookup', () => {
  const typo = property(nat(46), constantFrom(...digits, '_', '-', ' '), (at, wrong) => {
    const key = mintKey()
    const mistyped = key.slice(0, at) + wrong + key.slice(at + 1)
    return isWellFormed(mistyped) === (mistyped === key)
  })
  assert(typo, { numRuns: 2_000 })
})

test('two swapped neighbouring characters are detected without a lookup', () => {
  const swap = property(nat(45), (at) => {
    const key = mintKey()
    const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
    return isWellFormed(swapped) === (swapped === key)
  })
  assert(swap, { numRuns: 1_000 })
})

test('a key that is truncated, extended or followed by a line break is not well formed', () => {
  const key = mintKey()
  for (const other of [key.slice(0, -1), `${key}0`, `${key}\n`, ` ${key}`, '', 'hx_live_']) {
    expect(isWellFormed(other)).toBe(false)
  }
})

test('the same key always has the same hash of 256 bits', () => {
  const key = mintKey()
  expect(hashKey(key)).toHaveLength(32)
  expect(hashKey(key)).toEqual(hashKey(key))
  expect(hashKey(key)).not.toEqual(hashKey(mintKey()))
})

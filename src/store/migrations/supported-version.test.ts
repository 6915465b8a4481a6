import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requireSupported } from './supported-version.ts'

const isSupported = (version: number, newest: number, support: Parameters<typeof requireSupported>[2]): boolean => {
  try {
    requireSupported(version, newest, support)
    return true
  } catch {
    return false
  }
}

test('a program opens a database with unknown migrations only if every one of them allows it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }),
      (newest, since) => {
        const support = since.map((readableSince, index) => ({ id: newest + 1 + index, readableSince }))
        const version = newest + since.length
        expect(isSupported(version, newest, support)).toBe(since.every((oldest) => oldest <= newest))
        // A migration without a record allows nobody.
        expect(isSupported(version + 1, newest, support)).toBe(false)
        expect(isSupported(newest, newest, [])).toBe(true)
      },
    ),
  )
})

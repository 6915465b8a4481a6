import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markText, readMark } from './mark-text.ts'

test('a mark is read back as it was written', () => {
  const sequence = fc.integer({ min: 0, max: 2 ** 50 })
  fc.assert(
    fc.property(sequence, fc.array(sequence, { maxLength: 200 }), (newest, open) => {
      expect(readMark(markText({ newest, open }) ?? '')).toEqual({ newest, open })
    }),
  )
})

test('a mark that is too long is no id', () => {
  expect(markText({ newest: 1, open: Array.from({ length: 201 }, (_, index) => index) })).toBeUndefined()
})

test.each(['', '-', 'a', 'a-b.', 'a-.b', 'a-b..c', 'a-B', '1-2 ', `1-${'1.'.repeat(300)}1`])(
  '%j is no mark',
  (text) => {
    expect(readMark(text)).toBeNull()
  },
)

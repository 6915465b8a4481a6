import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markText, readMark } from './mark-text.ts'

test('a mark is read back as it was written', () => {
  const sequence = fc.integer({ min: 0, max: 2 ** 50 })
  fc.assert(
    fc.property(sequence, sequence, fc.array(sequence, { maxLength: 200 }), (newest, refused, open) => {
      expect(readMark(markText({ newest, refused, open }) ?? '')).toEqual({ newest, refused, open })
    }),
  )
})

test('a mark that is too long is no id', () => {
  expect(markText({ newest: 1, refused: 1, open: Array.from({ length: 201 }, (_, index) => index) })).toBeUndefined()
})

test.each(['', '-', 'a', 'a-b', 'a-b-c.', 'a-b-.c', 'a-b-c..d', 'a-b-C', '1-2-3 ', `1-2-${'1.'.repeat(300)}1`])(
  '%j is no mark',
  (text) => {
    expect(readMark(text)).toBeNull()
  },
)

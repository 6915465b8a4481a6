import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextFinder } from './text-finder.ts'

const found = (texts: string[], text: string) =>
  createTextFinder(texts)(text).map(({ start, end }) => text.slice(start, end))

test('the longest of several texts at one place is found', () => {
  expect(found(['<|a|>', '<|a', '<|a|>x'], 'say <|a|>x and <|a|> and <|a.')).toEqual(['<|a|>x', '<|a|>', '<|a'])
})

test('nothing is found in a text that only begins like one', () => {
  expect(found(['<|end|>'], '<|en <|end| <<<.')).toEqual([])
})

test('an empty text is never found', () => {
  expect(found([''], 'abc')).toEqual([])
})

test('a beginning of one at the end of the text is found, also before white space', () => {
  expect(found(['<|end|>'], 'a <|end|> b <|en')).toEqual(['<|end|>', '<|en'])
  expect(found(['<|end|>'], 'a <|en \n')).toEqual(['<|en'])
})

test('it finds what a regular expression finds', () => {
  const letters = fc.string({ unit: fc.constantFrom('<', '|', 'a', 'b'), maxLength: 20 })
  const texts = fc.array(fc.string({ unit: fc.constantFrom('<', '|', 'a', 'b'), minLength: 1, maxLength: 4 }), {
    minLength: 1,
  })
  fc.assert(
    fc.property(texts, letters, (texts, text) => {
      const longestFirst = [...texts].sort((a, b) => b.length - a.length).map(RegExp.escape)
      expect(found(texts, `${text}.`)).toEqual(text.match(new RegExp(longestFirst.join('|'), 'g')) ?? [])
    }),
  )
})

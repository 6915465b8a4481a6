import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countWords } from '../count-words.ts'
import { maxTokenWords } from './max-token-words.ts'

const spell = (text: string, space: string): string => text.replaceAll(' ', space)

/** The tokens of a text: always the longest entry. */
const tokenise = (text: string, entries: readonly string[]): string[] => {
  const longestFirst = [...entries].sort((a, b) => b.length - a.length)
  const tokens: string[] = []
  for (let rest = text; rest !== ''; rest = rest.slice(tokens.at(-1)?.length))
    tokens.push(longestFirst.find((entry) => rest.startsWith(entry)) ?? rest.charAt(0))
  return tokens
}

const characters = fc.constantFrom('a', 'B', 'z', ' ', ' ', '.', '1', 'é', '漢')
const texts = (maxLength: number) => fc.string({ unit: characters, minLength: 1, maxLength })

test('no text has more words than its tokens can have, however the vocabulary spells spaces', () => {
  fc.assert(
    fc.property(
      fc.array(texts(6), { minLength: 1, maxLength: 12 }),
      texts(80),
      fc.constantFrom(' ', '\u0120', '\u2581'),
      (entries, text, space) => {
        const spelled = entries.map((entry) => spell(entry, space))
        const max = maxTokenWords({ size: spelled.length, special: new Map(), entry: (id) => spelled[id] })
        expect(countWords(text)).toBeLessThanOrEqual(max * tokenise(text, entries).length)
      },
    ),
    { numRuns: 500 },
  )
})

test('a token has one word, except where the vocabulary joins several; tokens of the template do not count', () => {
  const entries = ['the', '\u0120cat', 'e.g', '\u0120\u0120', 'of\u0120the', '<a b c d>']
  const vocabulary = { size: entries.length, entry: (id: number) => entries[id] }
  const control = new Map([[5, '<a b c d>']])
  expect(maxTokenWords({ ...vocabulary, special: control })).toBe(2)
  expect(maxTokenWords({ ...vocabulary, size: 4, special: new Map() })).toBe(1)
})

test('words are counted up to a limit', () => {
  expect(countWords('It is late. (Go home) 1 2 - x')).toBe(4)
  expect(countWords(' a'.repeat(1000), 7)).toBe(7)
  expect(countWords('ends with a space ')).toBe(3)
})

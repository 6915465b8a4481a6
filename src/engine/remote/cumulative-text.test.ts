import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCumulativeText } from './cumulative-text.ts'
import { createWholeCharacters } from './whole-characters.ts'

const join = (chunks: readonly string[]): string => {
  const text = createCumulativeText()
  return chunks.map(text.push).join('') + text.flush()
}

test('text that is sent as a whole each time comes out once', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,6} $/), { minLength: 3, maxLength: 12 })
  fc.assert(
    fc.property(words, (parts) => {
      const wholes = parts.map((_, index) => `It is: ${parts.slice(0, index + 1).join('')}`)
      expect(join(wholes)).toBe(`It is: ${parts.join('')}`)
      expect(join([...wholes, wholes.at(-1) ?? ''])).toBe(`It is: ${parts.join('')}`)
    }),
  )
})

test.each([
  [['Hello', ', ', 'world']],
  [['a', 'a', 'a', 'a']],
  [['1', '10', '2']],
  [['ha', 'haha', 'x']],
  [['', 'a', '', 'b']],
  [['a', 'ab']],
  [[]],
])('ordinary parts stay as they are: %j', (chunks) => {
  expect(join(chunks)).toBe(chunks.join(''))
})

test('a character that was cut in the middle is put together; half a character alone is replaced', () => {
  const cat = '🐈'
  const characters = createWholeCharacters()
  expect([characters.push(`a${cat[0]}`), characters.push(`${cat[1]}b`), characters.flush()]).toEqual([
    'a',
    `${cat}b`,
    '',
  ])
  expect([
    characters.push(`${cat[0]}`),
    characters.push('c'),
    characters.push(`${cat[0]}`),
    characters.flush(),
  ]).toEqual(['', '\ufffdc', '', '\ufffd'])
})

import { expect, test } from 'vitest'
import { completeSentencesEnd } from './complete-sentences.ts'

test.each([
  ['Dry ground gath', ''],
  ['It rains. Dry ground', 'It rains. '],
  ['About 3.5 litres. And 4.', 'About 3.5 litres. '],
  ['About 3.', ''],
  ['雨です。土の', '雨です。'],
  ['雨です。土です。', '雨です。土です。'],
  ['「雨です。」土の', '「雨です。」'],
  ['One\nTwo', 'One\n'],
])('of %j it reads %j aloud', (text, whole) => {
  expect(text.slice(0, completeSentencesEnd(text))).toBe(whole)
})

import { expect, test } from 'vitest'
import { sentences } from './sentences.ts'

test('a sentence is told once it is whole', () => {
  expect(sentences('Dry ground gath', false)).toEqual([])
  expect(sentences('It rains. Dry ground', false)).toEqual(['It rains.'])
  expect(sentences('It rains. Dry ground.', true)).toEqual(['It rains.', 'Dry ground.'])
})

test('Japanese sentences end without a space', () => {
  expect(sentences('雨です。土の', false)).toEqual(['雨です。'])
  expect(sentences('雨です。土です。', false)).toEqual(['雨です。', '土です。'])
})

test('the point in a number ends nothing', () => {
  expect(sentences('About 3.5 litres fall. And', false)).toEqual(['About 3.5 litres fall.'])
  expect(sentences('About 3.', false)).toEqual([])
})

import { expect, test } from 'vitest'
import { words as english } from '../../../../languages/en/console.ts'
import { words as japanese } from '../../../../languages/ja/console.ts'
import { findLanguage } from '../../../words/languages.ts'
import { rangeText } from './range-text.ts'

const now = Date.UTC(2026, 10, 19, 12)
const said = (from: string, to: string): [string, string] => [
  rangeText({ from, to }, now, english.usage, findLanguage('en')),
  rangeText({ from, to }, now, japanese.usage, findLanguage('ja')),
]

test('one day is one day', () => {
  expect(said('2026-11-10', '2026-11-10')).toEqual(['on Tue 10 Nov', '11月10日（火）に'])
})

test('several days are from one to another', () => {
  expect(said('2026-10-31', '2026-11-01')).toEqual([
    'from Sat 31 Oct to Sun 1 Nov',
    '10月31日（土）から11月1日（日）までに',
  ])
})

test('days of another year have their year', () => {
  expect(said('2024-02-28', '2024-03-01')).toEqual([
    'from 28 Feb 2024 to 1 Mar 2024',
    '2024年2月28日から2024年3月1日までに',
  ])
  expect(said('2024-02-29', '2024-02-29')[0]).toBe('on 29 Feb 2024')
  expect(said('2025-12-31', '2026-01-01')[0]).toBe('from 31 Dec 2025 to 1 Jan 2026')
})

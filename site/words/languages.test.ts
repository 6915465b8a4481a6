import { expect, test } from 'vitest'
import { languageCodes, languages as serverLanguages } from '../../src/languages/languages.ts'
import { readWords } from '../../src/languages/words.ts'
import { dayMark, dayWords } from '../app/pages/usage/day-words.ts'
import { slotMark, slotWords } from '../app/pages/usage/slot-words.ts'
import { findLanguage, languages } from './languages.ts'
import { loadWords } from './load-words.ts'

test('the scripts of the site find the languages that the server finds, in the same order', () => {
  expect(languages).toEqual(serverLanguages)
  expect(languages.map(({ code }) => code)).toEqual(languageCodes)
  expect(languageCodes[0]).toBe('en')
})

test('a page in a language that was removed is read in English', () => {
  expect(findLanguage('xx').code).toBe('en')
})

/** What people search for is not the same in each language. */
const differing = 'public-pages.searchSynonyms'

/** Every name with the kind of its word: `keys.title: string`. */
const namesIn = (words: unknown, place: string): string[] =>
  typeof words === 'object' && words !== null && place !== differing
    ? Object.entries(words).flatMap(([name, value]) => namesIn(value, `${place}.${name}`))
    : [`${place}: ${typeof words}`]

const files = ['console', 'first', 'admin', 'auth', 'litellm-import', 'public-pages', 'server', 'screenshots'] as const

test.each(languageCodes)('%s has every word of English, and no other', async (code) => {
  for (const file of files) {
    const own = namesIn(await readWords(code, file), file)
    expect(own.toSorted()).toEqual(namesIn(await readWords('en', file), file).toSorted())
  }
})

test.each(languageCodes)('scripts load the words that the folder of %s has', async (code) => {
  expect(await loadWords(code, 'console')).toBe(await readWords(code, 'console'))
  expect(await loadWords(code, 'first')).toBe(await readWords(code, 'first'))
  expect(await loadWords(code, 'admin')).toBe(await readWords(code, 'admin'))
  expect(await loadWords(code, 'auth')).toBe(await readWords(code, 'auth'))
  expect(await loadWords(code, 'litellm-import')).toBe(await readWords(code, 'litellm-import'))
})

test('days, hours and months are written as usual in each language', () => {
  const [en, ja] = [findLanguage('en'), findLanguage('ja')]
  expect([dayWords('2026-11-10', en), dayWords('2026-11-10', ja)]).toEqual(['Tue 10 Nov', '11月10日（火）'])
  expect([dayMark('2026-11-10', en), dayMark('2026-11-10', ja)]).toEqual(['10 Nov', '11/10'])
  const hour = '2026-11-10T13:00+09:00'
  expect([slotWords(hour, 'hour', en), slotWords(hour, 'hour', ja)]).toEqual([
    'Tue 10 Nov, 13:00',
    '11月10日（火） 13:00',
  ])
  expect([slotMark('2026-11', 'month', en), slotMark('2026-11', 'month', ja)]).toEqual(['Nov 2026', '2026/11'])
  expect([slotWords('2026-11', 'month', en), slotWords('2026-11', 'month', ja)]).toEqual([
    'November 2026',
    '2026年11月',
  ])
})

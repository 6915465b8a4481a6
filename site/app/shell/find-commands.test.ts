import { expect, test } from 'vitest'
import { findCommands } from './find-commands.ts'

const commands = [
  { text: 'Theme: System', note: 'Action', terms: 'theme-system appearance' },
  { text: 'Theme: Light', note: 'Action', terms: 'theme-light appearance' },
  { text: 'Theme: Dark', note: 'Action', terms: 'theme-dark appearance' },
  { text: 'darkroom', note: 'Key …dark' },
  { text: 'Nightly', note: 'Key …DARK' },
]
const found = (typed: string): string[] => findCommands(commands, typed).map(({ text }) => text)

test('everything is listed while nothing is typed', () => {
  expect(found(' ')).toHaveLength(5)
})

test('what has the word in its name comes before what only has it in its notes and terms', () => {
  expect(found('Dark')).toEqual(['Theme: Dark', 'darkroom', 'Nightly'])
  expect(found('theme-l')).toEqual(['Theme: Light'])
})

test('full-width and capital letters are the same letters', () => {
  expect(found('ＮＩＧＨＴ')).toEqual(['Nightly'])
})

test('what is not there is not found', () => {
  expect(found('zzz')).toEqual([])
})

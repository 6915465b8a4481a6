import { expect, test } from 'vitest'
import { findPrompts } from './find-prompts.ts'

const named = (id: string, name: string) => ({
  ...{ id, name, isShared: false, isOwn: true, createdBy: 'a@example.com', createdAt: 0, savedAt: 0, version: 1 },
})
const prompts = [named('prm_1', 'Weekly report'), named('prm_2', '週報ＡＢＣ'), named('prm_3', 'Report of a week')]
const idsOf = (search: string, pinned: readonly string[] = []) =>
  findPrompts(prompts, search, new Set(pinned)).map(({ id }) => id)

test('prompts are found by words of their names in any order and width', () => {
  expect(idsOf('')).toEqual(['prm_1', 'prm_2', 'prm_3'])
  expect(idsOf('report WEEK')).toEqual(['prm_1', 'prm_3'])
  expect(idsOf('abc')).toEqual(['prm_2'])
  expect(idsOf('nothing')).toEqual([])
})

test('pinned prompts come first, and the others keep their order', () => {
  expect(idsOf('', ['prm_3'])).toEqual(['prm_3', 'prm_1', 'prm_2'])
})

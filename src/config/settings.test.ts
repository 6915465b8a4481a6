import { expect, test } from 'vitest'
import { settingGroups, settingNames } from './settings.ts'

test('a setting is declared in one group', () => {
  const declared = Object.values(settingGroups).flatMap((rows) => Object.keys(rows))
  expect(declared.filter((name, at) => declared.indexOf(name) !== at)).toEqual([])
  expect(settingNames).toEqual(declared)
})

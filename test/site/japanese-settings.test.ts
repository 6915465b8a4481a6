import { expect, test } from 'vitest'
import { descriptions } from '../../languages/ja/settings/descriptions.ts'
import { valueInJapanese, values } from '../../languages/ja/settings/values.ts'
import { describeDefault } from '../../src/config/document-config.ts'
import { settingNames, settings } from '../../src/config/settings.ts'

/** Add what is missing under `languages/ja/settings/`, then run `npm run docs`. */
test('every setting is described in Japanese, and nothing is described that is no setting', () => {
  expect(Object.keys(descriptions).toSorted()).toEqual([...settingNames].toSorted())
})

const shown = settingNames.flatMap((name) => [settings[name].kind, describeDefault(name)])

test('every kind and default has words in Japanese, and none is left of what is gone', () => {
  expect(shown.filter((english) => valueInJapanese(english) === null)).toEqual([])
  expect(Object.keys(values).filter((english) => !shown.includes(english))).toEqual([])
})

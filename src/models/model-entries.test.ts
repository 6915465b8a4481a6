import { expect, test } from 'vitest'
import { loadConfig } from '../config/load-config.ts'
import { settings } from '../config/settings.ts'
import { modelEntries } from './model-entries.ts'
import type { ModelList } from './model-list-file.ts'

const empty: ModelList = { default: null, models: [] }
const listed = (name: string, isDefault = false): ModelList => ({
  default: isDefault ? name : null,
  models: [{ name, path: `/list/${name}`, aliases: ['l'], contextTokens: 512, pulledFrom: null }],
})
const entries = (environment: Record<string, string>, list = empty) =>
  modelEntries(loadConfig({ flags: {}, environment, configFile: null }), list)
const names = (environment: Record<string, string>, list?: ModelList) =>
  entries(environment, list).map(({ name, path, isDefault }) => `${name ?? path}${isDefault ? '*' : ''}`)

const several = '[{"name":"a","path":"/a"},{"name":"b","path":"/b","slots":2,"idleMinutes":0,"aliases":["bb"]}]'
const marked = '[{"name":"a","path":"/a"},{"name":"b","path":"/b","default":true}]'

test('without models, the one of the settings is served', () => {
  expect(entries({ HELIX_MODEL: '/m', HELIX_MODEL_NAME: 'n', HELIX_CONTEXT_TOKENS: '512' })).toEqual([
    {
      ...{ name: 'n', path: '/m', aliases: [], contextTokens: 512 },
      ...{ slots: 4, idleMinutes: 15, isDefault: true },
    },
  ])
  expect(names({})).toEqual([`${settings.model.default}*`])
})

test('models replace the bundled one, but not one that was set', () => {
  expect(names({ HELIX_MODELS: several })).toEqual(['a*', 'b'])
  expect(names({ HELIX_MODELS: several, HELIX_MODEL: '/m' })).toEqual(['/m*', 'a', 'b'])
  expect(entries({ HELIX_MODELS: several })[1]).toEqual({
    ...{ name: 'b', path: '/b', aliases: ['bb'], contextTokens: null },
    ...{ slots: 2, idleMinutes: 0, isDefault: false },
  })
})

test('the default is the one chosen on the command line, else the one marked in the settings, else the first', () => {
  expect(names({ HELIX_MODELS: marked }, listed('l'))).toEqual(['a', 'b*', 'l'])
  expect(names({ HELIX_MODELS: marked }, listed('l', true))).toEqual(['a', 'b', 'l*'])
  expect(names({ HELIX_MODEL: '/m' }, listed('l'))).toEqual(['/m*', 'l'])
})

test('an upstream takes the place of the model of the settings and is the default', () => {
  const upstream = { HELIX_UPSTREAM_URL: 'http://127.0.0.1:1/v1', HELIX_UPSTREAM_MODEL: 'big' }
  expect(names(upstream)).toEqual([])
  expect(names({ ...upstream, HELIX_MODELS: several }, listed('l'))).toEqual(['a', 'b', 'l'])
})

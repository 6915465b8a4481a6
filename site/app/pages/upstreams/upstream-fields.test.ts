import { expect, test } from 'vitest'
import type { UpstreamShown } from '../../../../src/platform/contract/upstreams.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { bodyOf, changesOf, fieldsOf, withPreset } from './upstream-fields.ts'
import { upstreamProblems } from './upstream-problems.ts'
import { wrongFields } from './wrong-fields.ts'

const model = {
  ...{ name: 'large', upstreamName: 'org/large', kind: 'chat', aliases: ['big'], weight: 2, contextTokens: 4096 },
  ...{ price: { prompt: 1, cached: 1, completion: 2 }, tokenizer: '/t.json', capabilities: ['vision'], imageTokens: 9 },
} as const
const ranker = { ...model, name: 'ranks', upstreamName: null, kind: 'rerank', tokenizer: null } as const
const upstream = {
  ...{ name: 'gpu', url: 'http://10.0.0.5/v1', kind: 'azure', preset: 'azure', hasKey: true, maxInFlight: 8 },
  settings: {
    ...{ apiVersion: '2024-10-21', features: ['tools', 'seed'], capabilities: ['vision', 'responses'] },
    builtInTools: ['web_search'],
    ...{
      price: { prompt: 0.5, cached: 0.25, completion: 1 },
      canary: { prompt: 'Hi?', expect: 'Hi', intervalMs: 60_000 },
    },
    ...{ connectTimeoutMs: 2500, firstByteTimeoutMs: 300_000, silenceTimeoutMs: 1000, models: [model, ranker] },
  },
} as unknown as UpstreamShown

test('an upstream that is saved as it was opened stays as it was', () => {
  const { settings, kind, preset, url, maxInFlight } = upstream
  expect(bodyOf(fieldsOf(upstream), settings)).toEqual({
    ...{ kind, preset, url, maxInFlight, ...settings },
  })
})

test('only what was changed is sent, except with another preset', () => {
  const fields = fieldsOf(upstream)
  expect(changesOf(fields, upstream)).toEqual({})
  expect(changesOf({ ...fields, maxInFlight: '9', key: 'sk-1' }, upstream)).toEqual({ maxInFlight: 9, key: 'sk-1' })
  expect(changesOf({ ...fields, canary: 'off' }, upstream)).toEqual({ canary: null })
  const moved = { ...withPreset(fields, 'groq'), kind: fields.kind }
  expect(changesOf(moved, upstream)).toEqual(bodyOf(moved, upstream.settings))
})

test('a model that is renamed or added has only what was typed, and none means those that are listed', () => {
  const fields = { ...fieldsOf(upstream), models: 'large, new=org/new', rerankModels: '', tokenizer: '' }
  expect(bodyOf(fields, upstream.settings).models).toEqual([
    { ...model, upstreamName: null, tokenizer: null },
    { name: 'new', upstreamName: 'org/new', kind: 'chat', tokenizer: null },
  ])
  expect(bodyOf({ ...fields, models: ' ' }, null).models).toBeNull()
})

test('another preset changes a name that the first one gave, and models keep tokenizers that are not shown', () => {
  expect(withPreset(withPreset(fieldsOf(null), 'groq'), 'mistral').name).toBe('mistral')
  const [one, two] = [
    { ...model, aliases: [] },
    { ...model, name: 'other', upstreamName: null, tokenizer: '/u.json' },
  ]
  const several = { ...upstream, settings: { ...upstream.settings, models: [one, two] } } as unknown as UpstreamShown
  expect(bodyOf(fieldsOf(several), several.settings).models).toEqual([one, two])
})

const words = {
  ...{ nameNeeded: 'name?', nameWrong: 'name!', urlNeeded: 'url?', urlWrong: 'url!', keyWrong: 'key!' },
  ...{ wholeNumber: 'number!', secondsWrong: 'seconds!', priceWrong: 'price!' },
  unknownItem: (item: string) => `${item}!`,
}

test.each([
  [{ name: '' }, { name: 'name?' }],
  [
    { name: 'a b!', url: 'ftp://x' },
    { name: 'name!', url: 'url!' },
  ],
  [{ url: 'http://user:word@x/v1' }, { url: 'url!' }],
  [
    { url: 'http://x/v1?key=1', key: 'two words' },
    { url: 'url!', key: 'key!' },
  ],
  [
    { maxInFlight: '', connectSeconds: '０', silenceSeconds: '3601' },
    { maxInFlight: 'number!', connectSeconds: 'seconds!', silenceSeconds: 'seconds!' },
  ],
  [
    { promptPrice: 'abc', cachedPrice: '-1', completionPrice: '0.4' },
    { promptPrice: 'price!', cachedPrice: 'price!' },
  ],
  [{ capabilities: 'vision、sight', features: 'none' }, { capabilities: 'sight!' }],
])('%o is wrong where it was typed', (typed, problems) => {
  expect(upstreamProblems({ ...fieldsOf(upstream), ...typed }, words)).toEqual(problems)
})

test('a preset is put into the fields, and a name that was typed stays', () => {
  expect(withPreset(fieldsOf(null), 'deepseek')).toMatchObject({
    ...{ name: 'deepseek', url: 'https://api.deepseek.com/v1', kind: 'compatible' },
    features: expect.stringContaining('reasoning_effort'),
  })
  expect(withPreset({ ...fieldsOf(null), name: 'mine' }, 'azure')).toMatchObject({
    name: 'mine',
    url: '',
    kind: 'azure',
  })
})

test.each([
  ['upstream (gpu), url: expected an http:// URL.', { fields: { url: 'expected an http:// URL.' }, other: null }],
  ['upstream, name: expected letters.', { fields: { name: 'expected letters.' }, other: null }],
  ['upstream, name: a; b; upstream, url: c.', { fields: { name: 'a; b', url: 'c.' }, other: null }],
  ['upstream (a), price: prompt: a number.', { fields: { promptPrice: 'prompt: a number.' }, other: null }],
  ['upstream (a), connectTimeoutMs: an integer.', { fields: { connectSeconds: 'an integer.' }, other: null }],
  ['The URL is that of another server.', { fields: {}, other: 'The URL is that of another server.' }],
])('the server says %s', (message, wrong) => {
  const error = Object.create(PlatformError.prototype, {
    code: { value: 'invalid_upstream' },
    message: { value: message },
  })
  expect(wrongFields(error)).toEqual(wrong)
  expect(wrongFields(new Error(message))).toBeNull()
})

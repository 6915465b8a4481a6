import { expect, test } from 'vitest'
import type { UpstreamShown } from '../../../../src/platform/contract/upstreams.ts'
import { PlatformError } from '../../../platform/platform-error.ts'
import { bodyOf, fieldsOf, withPreset } from './upstream-fields.ts'
import { wrongField } from './wrong-field.ts'

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

test('a model that is renamed or added has only what was typed, and none means those that are listed', () => {
  const fields = { ...fieldsOf(upstream), models: 'large, new=org/new', rerankModels: '', tokenizer: '' }
  expect(bodyOf(fields, upstream.settings).models).toEqual([
    { ...model, upstreamName: null, tokenizer: null },
    { name: 'new', upstreamName: 'org/new', kind: 'chat', tokenizer: null },
  ])
  expect(bodyOf({ ...fields, models: ' ' }, null).models).toBeNull()
})

test('a preset is put into the fields, and a name that was typed stays', () => {
  expect(withPreset(fieldsOf(null), 'groq')).toMatchObject({
    ...{ name: 'groq', url: 'https://api.groq.com/openai/v1', kind: 'openai' },
    features: expect.stringContaining('reasoning_effort'),
  })
  expect(withPreset({ ...fieldsOf(null), name: 'mine' }, 'azure')).toMatchObject({
    name: 'mine',
    url: '',
    kind: 'azure',
  })
})

test.each([
  ['upstream (gpu), url: expected an http:// URL.', { field: 'url', text: 'expected an http:// URL.' }],
  ['upstream, name: expected letters.', { field: 'name', text: 'expected letters.' }],
  ['upstream (a), connectTimeoutMs: expected an integer.', { field: 'connectSeconds', text: 'expected an integer.' }],
  ['The URL is that of another server.', { field: null, text: 'The URL is that of another server.' }],
])('the server says %s', (message, wrong) => {
  const error = Object.create(PlatformError.prototype, {
    code: { value: 'invalid_upstream' },
    message: { value: message },
  })
  expect(wrongField(error)).toEqual(wrong)
  expect(wrongField(new Error(message))).toBeNull()
})

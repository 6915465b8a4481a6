import { expect, test } from 'vitest'
import type { UsableModel } from '../../src/platform/contract/models.ts'
import { chosenModel, lacks, modelChoices, triedModel } from './model-choices.ts'

const model = (id: string, fields: Partial<UsableModel> = {}): UsableModel => ({
  ...{ id, kind: 'chat', contextTokens: 4096, capabilities: [], sampling: null },
  ...fields,
})
const session = { model: 'a', models: [model('a'), model('vectors', { kind: 'embedding' }), model('b')] }

test('embedding models are not offered', () => {
  expect(modelChoices(session).map(({ id }) => id)).toEqual(['a', 'b'])
  expect(chosenModel(session, 'vectors').id).toBe('a')
})

test('a model that was removed since is replaced by the default', () => {
  expect(chosenModel(session, 'b').id).toBe('b')
  expect(chosenModel(session, 'gone').id).toBe('a')
  expect(chosenModel(session, '').id).toBe('a')
})

test('if the default is no chat model, the first one that is', () => {
  expect(chosenModel({ ...session, model: 'vectors' }, '').id).toBe('a')
  expect(chosenModel({ model: 'vectors', models: [] }, '').id).toBe('vectors')
})

test('a key is tried with a chat model that it may use', () => {
  expect(triedModel(session, null)).toBe('a')
  expect(triedModel({ ...session, model: 'vectors' }, null)).toBe('a')
  expect(triedModel(session, ['vectors', 'b'])).toBe('b')
  expect(triedModel(session, ['vectors', 'alias'])).toBe('alias')
  expect(triedModel(session, ['vectors'])).toBeNull()
  expect(triedModel({ model: 'vectors', models: [model('vectors', { kind: 'embedding' })] }, null)).toBeNull()
})

test('of a model that was never loaded nothing is known to be lacking', () => {
  expect(lacks(model('a'), 'tools')).toBe(false)
  expect(lacks(model('a', { capabilities: ['grammar'] }), 'tools')).toBe(true)
  expect(lacks(model('a', { capabilities: ['tools'] }), 'tools')).toBe(false)
})

import { expect, test } from 'vitest'
import { draftFromKey, emptyDraft, readDraft, readLimit, readNamedLimit } from './key-draft.ts'
import { sampleKey } from './sample-key.ts'

test.each([
  ['', null],
  ['  ', null],
  ['60', 60],
  ['40,000', 40_000],
  ['１２０', 120],
  ['0', 'wrong'],
  ['-5', 'wrong'],
  ['1.5', 'wrong'],
  ['many', 'wrong'],
  ['99999999999999', 'wrong'],
])('the limit %j', (text, limit) => {
  expect(readLimit(text)).toBe(limit)
})

test.each([
  ['', null],
  ['12.50', 12_500_000],
  ['1,000', 1_000_000_000],
  ['０.５', 500_000],
  ['0.000001', 1],
  ['0', 'wrong'],
  ['0.0000001', 'wrong'],
  ['-5', 'wrong'],
  ['5 USD', 'wrong'],
])('the budget in money %j', (text, micros) => {
  expect(readNamedLimit('costPerDayMicros', text)).toBe(micros)
})

test('nothing typed is no limit and everything allowed', () => {
  expect(readDraft(emptyDraft)).toEqual({
    wrong: [],
    scopes: ['chat', 'models', 'completions.read', 'completions.write'],
    rest: { limits: sampleKey({}).limits, models: null, networks: null },
  })
})

test('lists are read with any separator', () => {
  const { rest } = readDraft({ ...emptyDraft, models: ['a', 'b'], networks: '10.0.0.0/8\n::1、192.0.2.1' })
  expect(rest).toMatchObject({ models: ['a', 'b'], networks: ['10.0.0.0/8', '::1', '192.0.2.1'] })
})

test('a key without permissions and an invalid limit are refused', () => {
  const limits = { ...emptyDraft.limits, tokensPerDay: 'x' }
  expect(readDraft({ ...emptyDraft, limits, rights: 'some', scopes: [] }).wrong).toEqual(['tokensPerDay', 'scopes'])
})

test('what is shown of a key is read back as it was', () => {
  const key = sampleKey({
    scopes: ['chat'],
    models: ['a', 'b'],
    networks: ['10.0.0.0/8'],
    limits: { ...sampleKey({}).limits, tokensPerMonth: 2_000_000, costPerMonthMicros: 12_500_000 },
  })
  const { scopes, rest } = readDraft(draftFromKey(key))
  expect({ scopes, ...rest }).toEqual({
    scopes: key.scopes,
    limits: key.limits,
    models: key.models,
    networks: key.networks,
  })
  expect(readDraft(draftFromKey(sampleKey({ scopes: ['manage'] }))).scopes).toEqual(['manage'])
})

import { expect, test } from 'vitest'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import { mergeUpdates } from './merge-updates.ts'
import { noFilter } from './request-filter.ts'

const request = (id: string, startedAt: number, changes: Partial<ShownRequest> = {}): ShownRequest => ({
  ...{ id, startedAt, keyId: 'key_1', model: 'helix-v1', endpoint: 'chat.completions', stream: true },
  ...{ reservedTokens: 10, limits: null, outcome: 'running', error: null, finishReason: null, promptTokens: null },
  ...{
    cachedTokens: null,
    completionTokens: null,
    reasoningTokens: null,
    costMicros: null,
    estimated: false,
    upstreams: null,
    pauses: null,
    queueMs: null,
    firstTokenMs: null,
    tokensPerSecond: null,
  },
  ...{ durationMs: null, endedAt: null, refusedBy: null, leftOut: 0, ignoredFields: null, cachedFrom: null, hooks: [] },
  ...changes,
})

test('ended requests change in place, new ones are added at the top, and none appears twice', () => {
  const shown = [request('b', 2), request('a', 1)]
  const news = [request('a', 1, { outcome: 'completed' }), request('c', 3), request('c', 3, { outcome: 'failed' })]
  const merged = mergeUpdates(shown, news, noFilter)
  expect(merged.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(['c failed', 'b running', 'a completed'])
  expect(mergeUpdates(merged, news, noFilter)).toEqual(merged)
})

test('requests that do not match the filter are not added, and are removed when they stop matching', () => {
  const filter = { ...noFilter, outcome: 'running' as const }
  const merged = mergeUpdates([request('a', 1)], [request('a', 1, { outcome: 'failed' }), request('b', 2)], filter)
  expect(merged.map(({ id }) => id)).toEqual(['b'])
  expect(mergeUpdates([], [request('b', 2, { keyId: null })], { ...noFilter, key: 'playground' })).toHaveLength(1)
  expect(mergeUpdates([], [request('b', 2)], { ...noFilter, model: 'other' })).toEqual([])
  expect(mergeUpdates([], [request('b', 2)], { ...noFilter, endpoint: 'messages' })).toEqual([])
  expect(mergeUpdates([], [request('b', 2)], { ...noFilter, endpoint: 'chat.completions' })).toHaveLength(1)
})

import { expect, test } from 'vitest'
import type { LedgerRow } from '../store/ledger-contract.ts'
import { recentSpeed } from './recent-speed.ts'

const now = 1_000_000

const settledOnce: NonNullable<LedgerRow['settlement']> = {
  promptTokens: 5,
  cachedTokens: 0,
  completionTokens: 11,
  reasoningTokens: 0,
  costMicros: null,
  outcome: 'completed',
  finishReason: 'stop',
  error: null,
  queueMs: 10,
  firstTokenMs: 500,
  timedMs: 2000,
  durationMs: 2500,
  endedAt: now - 1,
  day: 20261115,
}

const row = (settlement: Partial<NonNullable<LedgerRow['settlement']>> | null): LedgerRow => ({
  requestId: 'req_1',
  organisationId: 'org_1',
  keyId: null,
  model: 'helix-v1',
  endpoint: 'playground',
  stream: true,
  reservedTokens: 100,
  price: null,
  reservedMicros: null,
  limits: null,
  createdAt: now - 30_000,
  settlement: settlement && { ...settledOnce, ...settlement },
})

test('requests that ended within the period count; running and earlier ones do not', () => {
  const rows = [row({}), row({ queueMs: 30 }), row(null), row({ endedAt: now - 60_000 })]
  expect(recentSpeed(rows, now, 60_000)).toEqual({
    requests: 2,
    failed: 0,
    tokensPerSecond: 22 / 60,
    answerTokensPerSecond: 5,
    firstTokenMs: 500,
    queueMs: 20,
  })
})

test('a request without a first token does not count towards the speed', () => {
  const { timedMs, ...unmeasured } = settledOnce
  const without = { ...unmeasured, outcome: 'failed', completionTokens: 0, queueMs: null, firstTokenMs: null } as const
  const failed = { ...row({}), settlement: without }
  expect(recentSpeed([failed], now, 60_000)).toEqual({
    requests: 1,
    failed: 1,
    tokensPerSecond: 0,
    answerTokensPerSecond: null,
    firstTokenMs: null,
    queueMs: null,
  })
})

test('answers whose speed was not measured have none, and do not change that of others', () => {
  const { timedMs, ...whole } = settledOnce
  const rows = [{ ...row({}), settlement: { ...whole, completionTokens: 2000 } }]
  expect(recentSpeed(rows, now, 60_000).answerTokensPerSecond).toBeNull()
  expect(recentSpeed([...rows, row({})], now, 60_000).answerTokensPerSecond).toBe(5)
})

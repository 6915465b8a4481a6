import { newId, newRequestId } from '../../src/base/ids.ts'
import type { ReservationRecord, Settlement } from '../../src/store/ledger-contract.ts'
import type { ReplayRecord } from '../../src/store/replay-contract.ts'
import type { Refusal } from '../../src/store/request-log-contract.ts'

const askedBy = (organisationId: string) =>
  ({
    requestId: newRequestId(1_000),
    organisationId,
    keyId: 'key_1',
    model: 'helix-v1',
    endpoint: 'chat.completions',
    stream: false,
  }) as const

export const reservationOf = (organisationId: string, changes: Partial<ReservationRecord> = {}): ReservationRecord => ({
  ...askedBy(organisationId),
  reservedTokens: 100,
  price: null,
  reservedMicros: null,
  limits: null,
  createdAt: 1_000,
  ...changes,
})

export const settlementOf = (requestId: string, changes: Partial<Settlement> = {}): Settlement => ({
  requestId,
  promptTokens: 10,
  cachedTokens: 3,
  completionTokens: 20,
  reasoningTokens: 4,
  costMicros: null,
  outcome: 'completed',
  finishReason: 'stop',
  error: null,
  queueMs: 1,
  firstTokenMs: 50,
  durationMs: 400,
  endedAt: 2_000,
  day: 20261115,
  ...changes,
})

export const replayOf = (
  { requestId, organisationId }: ReservationRecord,
  changes: Partial<ReplayRecord> = {},
): ReplayRecord => ({
  organisationId,
  keyHash: Uint8Array.from({ length: 32 }, () => 1),
  bodyHash: Uint8Array.from({ length: 32 }, () => 2),
  completionId: newId('chatcmpl'),
  requestId,
  stream: true,
  content: '{"a":"日本語"}\n{}',
  createdAt: 2_000,
  expiresAt: 9_000,
  ...changes,
})

export const refusalOf = (organisationId: string, changes: Partial<Refusal> = {}): Refusal => ({
  ...askedBy(organisationId),
  error: 'rate_limit_requests',
  limit: null,
  createdAt: 1_000,
  durationMs: 2,
  leftOut: 0,
  ...changes,
})

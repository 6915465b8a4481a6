import { newId } from '../../src/base/ids.ts'
import type { KeyRecord } from '../../src/store/contract.ts'
import { noLimits } from '../../src/store/limit-names.ts'

/** A key as a store keeps it, without limits. */
export const keyRecordOf = (organisationId: string, changes: Partial<KeyRecord> = {}): KeyRecord => ({
  id: newId('key'),
  organisationId,
  name: 'a key',
  prefix: 'hx_live_abcd',
  lastFour: 'wxyz',
  createdAt: 1_000,
  expiresAt: null,
  revokedAt: null,
  createdBy: null,
  scopes: ['chat', 'models', 'completions.read', 'completions.write'],
  models: null,
  networks: null,
  limits: noLimits,
  lastUsedAt: null,
  previousUntil: null,
  suspendedAt: null,
  pausedAt: null,
  ...changes,
})

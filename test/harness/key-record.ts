import { usualScopes } from '../../src/keys/key-fields.ts'
import type { KeyRecord } from '../../src/store/contract.ts'
import { noLimits } from '../../src/store/limit-names.ts'

/** A key like any other, but for what the test says. */
export const keyRecord = (own: Partial<KeyRecord> = {}): KeyRecord => ({
  id: 'key_1',
  organisationId: 'org_1',
  name: 'test',
  prefix: 'hx_live_9fK3',
  lastFour: '7Qd2',
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  createdBy: null,
  scopes: usualScopes,
  models: null,
  networks: null,
  limits: noLimits,
  lastUsedAt: null,
  previousUntil: null,
  ...own,
})

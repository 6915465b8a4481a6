import { noLimits } from '../../../../src/store/limit-names.ts'
import type { Key } from '../../../platform/types.ts'
import { usualScopes } from './key-draft.ts'

/** A key like any other, for tests. */
export const sampleKey = (change: Partial<Key>): Key => ({
  id: 'key_1',
  name: 'production-web',
  prefix: 'hx_live_9fK3',
  lastFour: '7Qd2',
  state: 'active',
  scopes: usualScopes,
  models: null,
  networks: null,
  limits: noLimits,
  uses: {},
  tokensToday: 0,
  tokensThisMonth: 0,
  tokensOfDays: [],
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  suspendedAt: null,
  pausedAt: null,
  lastUsedAt: null,
  previousUntil: null,
  createdBy: null,
  ...change,
})

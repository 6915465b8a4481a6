import type { KeyState } from '../../keys/key-state.ts'
import { limitsJson } from '../../limits/limits-json.ts'
import type { KeyRecord } from '../../store/contract.ts'

/** Whole seconds since 1970, rounded up so that an expiry is never reported too early. */
export const seconds = (ms: number): number => Math.ceil(ms / 1000)
const moment = (ms: number | null): number | null => (ms === null ? null : seconds(ms))

/** A key as programs see it. The secret is not part of it. */
export const keyJson = (key: KeyRecord & { state: KeyState }) => ({
  id: key.id,
  object: 'api_key' as const,
  name: key.name,
  prefix: key.prefix,
  last_four: key.lastFour,
  // Programs see a pause as a suspension: they know that state already, and can end neither.
  state: key.state === 'paused' ? ('suspended' as const) : key.state,
  scopes: key.scopes,
  models: key.models,
  networks: key.networks,
  limits: limitsJson(key.limits),
  created_at: Math.floor(key.createdAt / 1000),
  expires_at: moment(key.expiresAt),
  revoked_at: moment(key.revokedAt),
  last_used_at: key.lastUsedAt === null ? null : Math.floor(key.lastUsedAt / 1000),
  previous_secret_until: moment(key.previousUntil),
})

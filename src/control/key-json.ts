import type { ShownKey } from '../keys/key-registry.ts'
import { limitsJson } from '../limits/limits-json.ts'

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** A key as the command line shows it, without the secret. */
export const keyJson = (record: ShownKey) => ({
  id: record.id,
  name: record.name,
  organisation_id: record.organisationId,
  prefix: record.prefix,
  last_four: record.lastFour,
  state: record.state,
  scopes: record.scopes,
  models: record.models,
  networks: record.networks,
  limits: limitsJson(record.limits),
  created_at: time(record.createdAt),
  expires_at: time(record.expiresAt),
  revoked_at: time(record.revokedAt),
  last_used_at: time(record.lastUsedAt),
  previous_secret_until: time(record.previousUntil),
})

export type KeyJson = ReturnType<typeof keyJson>

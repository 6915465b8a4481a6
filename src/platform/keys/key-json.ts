import type { ShownKey } from '../../keys/key-registry.ts'
import { limitsJson } from '../../limits/limits-json.ts'

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** A key as the platform and the command line show it. The secret is not part of it. */
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

/** A key as the site shows it to a member of its organisation. `emails` has the members, by account. */
export const memberKeyJson = (record: ShownKey, emails: ReadonlyMap<string, string>) => ({
  id: record.id,
  name: record.name,
  prefix: record.prefix,
  lastFour: record.lastFour,
  scopes: record.scopes,
  models: record.models,
  networks: record.networks,
  limits: record.limits,
  createdAt: record.createdAt,
  expiresAt: record.expiresAt,
  revokedAt: record.revokedAt,
  suspendedAt: record.suspendedAt,
  lastUsedAt: record.lastUsedAt,
  previousUntil: record.previousUntil,
  createdBy: (record.createdBy === null ? undefined : emails.get(record.createdBy)) ?? null,
})

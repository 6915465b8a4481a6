import type { ShownKey } from '../../keys/key-registry.ts'
import type { Key } from '../contract/keys.ts'

/** `emails` has the members, by account. */
export const keyJson = (key: ShownKey, emails: ReadonlyMap<string, string>): Key => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  lastFour: key.lastFour,
  state: key.state,
  scopes: key.scopes,
  models: key.models,
  networks: key.networks,
  limits: key.limits,
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  suspendedAt: key.suspendedAt,
  pausedAt: key.pausedAt,
  lastUsedAt: key.lastUsedAt,
  previousUntil: key.previousUntil,
  createdBy: (key.createdBy === null ? undefined : emails.get(key.createdBy)) ?? null,
})

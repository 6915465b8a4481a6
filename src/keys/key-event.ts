import type { AuditActor, AuditDetails, AuditEvent } from '../store/audit-contract.ts'
import type { KeyChanges, KeyRecord } from '../store/contract.ts'

type KeyAction = Extract<AuditEvent['action'], `key.${string}`>

export const keyEvent = (
  action: KeyAction,
  { id, name, organisationId }: Pick<KeyRecord, 'id' | 'name' | 'organisationId'>,
  actor: AuditActor,
  at: number,
  details: AuditDetails = {},
): AuditEvent => ({ at, organisationId, actor, action, target: { kind: 'key', id, name }, details })

/** The permissions of a new key. */
export const permissionDetails = ({ scopes, models, networks, expiresAt }: KeyRecord): AuditDetails => ({
  scopes: scopes.join(' '),
  ...(models === null ? {} : { models: models.join(' ') }),
  ...(networks === null ? {} : { networks: networks.join(' ') }),
  ...(expiresAt === null ? {} : { expiresAt }),
})

/** The new values, and of the limits only those that changed. */
export const changeDetails = (changes: KeyChanges, { limits: before }: KeyRecord): AuditDetails => {
  const { name, scopes, expiresAt, models, networks, limits = before } = changes
  const changed = Object.entries(limits).filter(([limit, max]) => new Map(Object.entries(before)).get(limit) !== max)
  return {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: scopes.join(' ') }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(models === undefined ? {} : { models: models?.join(' ') ?? null }),
    ...(networks === undefined ? {} : { networks: networks?.join(' ') ?? null }),
    ...Object.fromEntries(changed),
  }
}

import { newId } from '../base/ids.ts'
import type { KeyChanges, KeyRecord } from '../store/contract.ts'
import { noLimits } from '../store/limit-names.ts'
import {
  defaultScopes,
  type KeyFields,
  readChangedScopes,
  readExpiry,
  readLimits,
  readModels,
  readName,
  readNetworks,
  readScopes,
} from './key-fields.ts'

/** Without scopes it has all but `manage` and `metrics`. */
export type NewKey = KeyFields & {
  name: string
  /** Default: the first organisation. */
  organisationId?: string
  /** The account that creates it, if any. */
  createdBy?: string | null
}

type Given = Pick<KeyRecord, 'prefix' | 'lastFour' | 'organisationId' | 'createdAt'>

/** The record of a new key; throws `FieldRefused`. */
export const readNewKey = (wanted: NewKey, { createdAt, ...given }: Given): KeyRecord => ({
  id: newId('key'),
  name: readName(wanted.name),
  ...given,
  createdAt,
  expiresAt: readExpiry(wanted.expiresAt ?? null, createdAt),
  revokedAt: null,
  createdBy: wanted.createdBy ?? null,
  scopes: readScopes(wanted.scopes ?? defaultScopes),
  models: readModels(wanted.models ?? null),
  networks: readNetworks(wanted.networks ?? null),
  limits: readLimits({ ...noLimits, ...wanted.limits }),
  lastUsedAt: null,
  previousUntil: null,
  suspendedAt: null,
  pausedAt: null,
})

/** The fields to store. An unchanged expiry may be in the past. */
export const readChanges = (
  { name, scopes, expiresAt, models, networks, limits }: KeyFields & { name?: string },
  current: KeyRecord,
  now: number,
): KeyChanges => ({
  ...(name === undefined ? {} : { name: readName(name) }),
  ...(scopes === undefined ? {} : { scopes: readChangedScopes(scopes, current.scopes) }),
  ...(expiresAt === undefined || expiresAt === current.expiresAt ? {} : { expiresAt: readExpiry(expiresAt, now) }),
  ...(models === undefined ? {} : { models: readModels(models) }),
  ...(networks === undefined ? {} : { networks: readNetworks(networks) }),
  ...(limits === undefined ? {} : { limits: readLimits({ ...current.limits, ...limits }) }),
})

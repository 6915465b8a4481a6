import type { KeyRecord } from '../store/contract.ts'
import type { KeyChanges } from '../store/ledger-contract.ts'
import { type KeyFields, readExpiry, readLimits, readModels, readName, readNetworks } from './key-fields.ts'

/** What is to be stored anew. An expiry that stays as it is may lie in the past. */
export const readChanges = (
  { name, expiresAt, models, networks, limits }: KeyFields & { name?: string },
  current: KeyRecord,
  now: number,
): KeyChanges => ({
  ...(name === undefined ? {} : { name: readName(name) }),
  ...(expiresAt === undefined || expiresAt === current.expiresAt ? {} : { expiresAt: readExpiry(expiresAt, now) }),
  ...(models === undefined ? {} : { models: readModels(models) }),
  ...(networks === undefined ? {} : { networks: readNetworks(networks) }),
  ...(limits === undefined ? {} : { limits: readLimits({ ...current.limits, ...limits }) }),
})

import { checkName } from '../base/check-name.ts'
import { canonicalNetwork } from '../base/ip-network.ts'
import { isModelName } from '../base/model-name.ts'
import { type AccessScope, accessScopes } from '../store/contract.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { limitNames } from '../store/limit-names.ts'

/** The fields that can be set when a key is created or changed. Each reader returns what is stored, or throws. */
export type KeyFields = {
  scopes?: readonly string[]
  /** Milliseconds since 1970; null for never. */
  expiresAt?: number | null
  models?: readonly string[] | null
  networks?: readonly string[] | null
  limits?: Partial<Limits>
}

export class FieldRefused extends Error {
  readonly field: string

  constructor(field: string, reason: string) {
    super(reason)
    this.field = field
  }
}

export const readName = (name: string): string => {
  const checked = checkName(name)
  if (checked.outcome === 'refused') throw new FieldRefused('name', checked.reason)
  return checked.name
}

export const readExpiry = (expiresAt: number | null, now: number): number | null => {
  if (expiresAt === null || (Number.isSafeInteger(expiresAt) && expiresAt > now)) return expiresAt
  throw new FieldRefused('expiresAt', 'it must be in the future')
}

/** Of keys that do nothing else. */
const soleScopes: readonly AccessScope[] = ['manage', 'metrics']

/** All but `manage` and `metrics`. */
export const defaultScopes: readonly AccessScope[] = accessScopes.filter((scope) => !soleScopes.includes(scope))

export const readScopes = (scopes: readonly string[]): readonly AccessScope[] => {
  const refuse = (reason: string) => new FieldRefused('scopes', reason)
  const known = accessScopes.filter((scope) => scopes.includes(scope))
  const unknown = scopes.find((scope) => !known.some((word) => word === scope))
  if (unknown !== undefined)
    throw refuse(`unknown scope '${shorten(unknown)}'; the scopes are ${accessScopes.join(', ')}`)
  if (known.length === 0) throw refuse('specify at least one scope')
  const sole = known.find((scope) => soleScopes.includes(scope))
  if (sole !== undefined && known.length > 1) throw refuse(`'${sole}' cannot be combined with other scopes`)
  return known
}

/**
 * The scopes of a key that exists. A key that calls the model never becomes one that manages keys or reads metrics, nor the
 * other way round: its secret was handed out for something else.
 */
export const readChangedScopes = (
  scopes: readonly string[],
  current: readonly AccessScope[],
): readonly AccessScope[] => {
  const read = readScopes(scopes)
  const sole = [...current, ...read].find((scope) => soleScopes.includes(scope))
  if (sole === undefined || (read.includes(sole) && current.includes(sole))) return read
  throw new FieldRefused('scopes', `'${sole}' cannot be added to an existing key or removed from it`)
}

const modelName = /^[\x21-\x7e]{1,200}$/

/** A model that does not exist is accepted, because it may be added later. */
export const readModels = (models: readonly string[] | null): readonly string[] | null => {
  if (models === null) return null
  const wrong = models.find((model) => !modelName.test(model) || !isModelName(model))
  if (wrong !== undefined) throw new FieldRefused('models', `'${shorten(wrong)}' is not a valid model name`)
  return readList('models', models)
}

/** In canonical form, without host bits: what is displayed is what applies. */
export const readNetworks = (networks: readonly string[] | null): readonly string[] | null => {
  if (networks === null) return null
  const canonical = networks.map((network) => {
    const text = canonicalNetwork(network.trim())
    if (text !== undefined) return text
    throw new FieldRefused(
      'networks',
      `'${shorten(network)}' is not an IP address or a CIDR range such as 10.0.0.0/8 or 2001:db8::/32`,
    )
  })
  return readList('networks', canonical)
}

const maxItems = 100

const readList = (field: string, items: readonly string[]): readonly string[] => {
  if (items.length === 0) throw new FieldRefused(field, 'specify at least one, or omit it to allow all')
  const each = [...new Set(items)]
  if (each.length > maxItems) throw new FieldRefused(field, `it can contain at most ${maxItems} items`)
  return each
}

const maxLimit = 1_000_000_000_000

/** `least` is 0 where that means no limit. */
export const readLimits = (limits: Limits, least = 1): Limits => {
  for (const name of limitNames) {
    const value = limits[name]
    if (value === null || (Number.isInteger(value) && value >= least && value <= maxLimit)) continue
    throw new FieldRefused(`limits.${name}`, `it must be a whole number from ${least} to ${maxLimit}`)
  }
  return limits
}

const maxGraceMs = 30 * 86_400_000

export const readGrace = (graceMs: number): number => {
  if (Number.isSafeInteger(graceMs) && graceMs >= 0 && graceMs <= maxGraceMs) return graceMs
  throw new FieldRefused('graceMs', 'it must be between 0 and 30 days')
}

const shorten = (text: string): string => (text.length > 64 ? `${text.slice(0, 64)}…` : text)

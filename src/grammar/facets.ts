import type { RawSchema } from './schema-document.ts'

export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string'

/** The combined keywords of several schemas that all apply to one value. */
export type Facets = {
  sources: readonly RawSchema[]
  /** Null: no schema names a type. */
  types: ReadonlySet<JsonType> | null
  /** The only values allowed, or null. */
  literals: readonly unknown[] | null
}

/** `walk` counts comparisons. */
export const joinFacets = (sources: readonly RawSchema[], walk: (steps: number) => void): Facets => {
  let types: Set<JsonType> | null = null
  let literals: readonly unknown[] | null = null
  for (const source of sources) {
    if (source.type !== undefined) {
      const names = asTypes(source.type)
      walk(names.length)
      const named = new Set(names)
      types = types === null ? named : shared(types, named)
    }
    for (const list of valueLists(source)) {
      walk(1 + (literals?.length ?? 0))
      literals = literals === null ? list : common(literals, list)
    }
  }
  return { sources, types, literals }
}

/** Lists of values are compared with many others, so their keys are computed once. */
const lists = new WeakMap<RawSchema, readonly (readonly unknown[])[]>()
const keySets = new WeakMap<readonly unknown[], Map<string, unknown>>()

/** The lists of allowed values of one schema; the same arrays each time. */
const valueLists = (source: RawSchema): readonly (readonly unknown[])[] => {
  const known = lists.get(source)
  if (known !== undefined) return known
  const found = [
    ...(Array.isArray(source.enum) ? [source.enum] : []),
    ...(source.const === undefined ? [] : [[source.const]]),
  ]
  lists.set(source, found)
  return found
}

/** The values of a list, keyed so that equal values have equal keys. */
export const literalKeys = (list: readonly unknown[]): ReadonlyMap<string, unknown> => {
  const known = keySets.get(list)
  if (known !== undefined) return known
  const keys = new Map(list.map((value) => [canonical(value), value]))
  keySets.set(list, keys)
  return keys
}

const common = (some: readonly unknown[], others: readonly unknown[]): readonly unknown[] => {
  const keys = literalKeys(others)
  const kept = [...literalKeys(some)].filter(([key]) => keys.has(key))
  const values = kept.map(([, value]) => value)
  keySets.set(values, new Map(kept))
  return values
}

/** The values of one keyword, wherever it is present. */
export const keywordValues = (sources: readonly RawSchema[], keyword: string): unknown[] =>
  sources.filter((source) => Object.hasOwn(source, keyword)).map((source) => source[keyword])

export const keywordNumbers = (sources: readonly RawSchema[], keyword: string): number[] =>
  keywordValues(sources, keyword).filter((value) => typeof value === 'number')

export const keywordStrings = (sources: readonly RawSchema[], keyword: string): Set<string> =>
  new Set(keywordValues(sources, keyword).filter((value) => typeof value === 'string'))

/** The tightest limits of all schemas: the largest minimum and the smallest maximum; null: none. */
export const keywordLimits = (
  sources: readonly RawSchema[],
  minimum: string,
  maximum: string,
): { min: number; max: number | null } => {
  const max = keywordNumbers(sources, maximum).reduce(
    (least, value) => Math.min(least, value),
    Number.POSITIVE_INFINITY,
  )
  const min = keywordNumbers(sources, minimum).reduce((largest, value) => Math.max(largest, value), 0)
  return { min, max: max === Number.POSITIVE_INFINITY ? null : max }
}

export const jsonType = (value: unknown): JsonType => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value === 'boolean' ? 'boolean' : 'string'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return 'object'
}

export const allowsType = (types: ReadonlySet<JsonType>, type: JsonType): boolean =>
  types.has(type) || (type === 'integer' && types.has('number'))

/** Equal for values that JSON Schema calls equal. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}

/** Requires a value that `checkKeywords` has accepted as a type name or a list of type names. */
const asTypes = (value: unknown): JsonType[] => (Array.isArray(value) ? value : [value]) as JsonType[]

const shared = (a: ReadonlySet<JsonType>, b: ReadonlySet<JsonType>): Set<JsonType> =>
  new Set([...a, ...b].filter((type) => allowsType(a, type) && allowsType(b, type)))

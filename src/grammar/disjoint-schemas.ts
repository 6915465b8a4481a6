import { canonical, type Facets, type JsonType, joinFacets, typeOf, valuesOf } from './facets.ts'
import { mustFit, type Obligations, type Unfolder } from './obligations.ts'
import { isRecord, type RawSchema } from './schema-document.ts'
import type { Workshop } from './workshop.ts'

const maxDepth = 6

/**
 * Whether it is certain that no value fits both. Only what the schemas say outright counts: other types, other listed
 * values, or a key that both require (or only one allows) for which the same is true.
 */
export const areDisjoint = (
  shop: Workshop,
  unfolder: Unfolder,
  first: Obligations,
  second: Obligations,
  depth = 0,
): boolean => {
  shop.spend(1)
  const [a, b] = [unfolder.unfold(first), unfolder.unfold(second)]
  if (a === null || b === null) return true
  if (depth > maxDepth) return false
  const [left, right] = [joinFacets(a.facets), joinFacets(b.facets)]
  const [leftTypes, rightTypes] = [typesOf(shop, unfolder, a, depth), typesOf(shop, unfolder, b, depth)]
  if (leftTypes !== null && rightTypes !== null && leftTypes.isDisjointFrom(rightTypes)) return true
  if (left.literals !== null && right.literals !== null) {
    const keys = new Set(left.literals.map(canonical))
    return !right.literals.some((value) => keys.has(canonical(value)))
  }
  const onlyObjects = [leftTypes, rightTypes].every((types) => types?.size === 1 && types.has('object'))
  return onlyObjects && keysDiffer(shop, unfolder, left, right, depth)
}

const keysDiffer = (shop: Workshop, unfolder: Unfolder, left: Facets, right: Facets, depth: number): boolean => {
  const [leftRequired, rightRequired] = [requiredOf(left), requiredOf(right)]
  const forbids = ({ sources }: Facets, name: string): boolean =>
    sources.some((source) => source.additionalProperties === false && !declares(source, name))
  for (const name of leftRequired.union(rightRequired)) {
    if (leftRequired.has(name) && forbids(right, name)) return true
    if (rightRequired.has(name) && forbids(left, name)) return true
    if (!leftRequired.has(name) || !rightRequired.has(name)) continue
    const [a, b] = [left, right].map(({ sources }) => propertyOf(shop, sources, name))
    if (a !== undefined && b !== undefined && areDisjoint(shop, unfolder, a, b, depth + 1)) return true
  }
  return false
}

const requiredOf = ({ sources }: Facets): Set<string> =>
  new Set(
    valuesOf(sources, 'required')
      .flat()
      .filter((name) => typeof name === 'string'),
  )

const declares = (source: RawSchema, name: string): boolean =>
  isRecord(source.properties) && Object.hasOwn(source.properties, name)

const propertyOf = ({ document }: Workshop, sources: readonly RawSchema[], name: string): Obligations =>
  mustFit(
    ...sources.flatMap((source) =>
      isRecord(source.properties) && Object.hasOwn(source.properties, name)
        ? [document.schemaAt(source, source.properties[name], 'properties', name)]
        : [],
    ),
  )

/** The types that are possible at all, integers counted as numbers; null: all. */
const typesOf = (
  shop: Workshop,
  unfolder: Unfolder,
  { facets, branches }: Obligations,
  depth: number,
): Set<JsonType> | null => {
  const { types, literals } = joinFacets(facets)
  const asNumber = (type: JsonType): JsonType => (type === 'integer' ? 'number' : type)
  const known: Set<JsonType>[] = []
  if (types !== null) known.push(new Set([...types].map(asNumber)))
  if (literals !== null) known.push(new Set(literals.map((value) => asNumber(typeOf(value)))))
  for (const { keyword, owner, options } of depth > maxDepth ? [] : branches) {
    const each = options.map((option, index) => {
      const inner = unfolder.unfold(mustFit(shop.document.schemaAt(owner, option, keyword, `${index}`)))
      return inner === null ? new Set<JsonType>() : typesOf(shop, unfolder, inner, depth + 1)
    })
    if (each.every((some) => some !== null))
      known.push(each.reduce((all, some) => all.union(some), new Set<JsonType>()))
  }
  return known.length === 0 ? null : known.reduce((all, some) => all.intersection(some))
}

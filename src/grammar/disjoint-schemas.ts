import { type Facets, type JsonType, joinFacets, jsonType, keywordValues, literalKeys } from './facets.ts'
import type { GrammarBuilder } from './grammar-builder.ts'
import { mustFit, type Obligations, type Unfolder } from './obligations.ts'
import { isRecord, type RawSchema } from './schema-document.ts'

const maxDepth = 6

/** The known facts about some obligations after they are resolved. */
type Profile = {
  facets: Facets
  branches: Obligations['branches']
  required: ReadonlySet<string>
  /** The possible types, by search depth; null: all. */
  types: Map<number, ReadonlySet<JsonType> | null>
}

/**
 * Whether it is certain that no value fits both of two schemas. Only explicit statements count: different types, different
 * listed values, or a key that both require (or only one allows) for which the same is true. Results per schema are
 * cached, since every branch is compared with every other.
 */
export class Disjointness {
  readonly #builder: GrammarBuilder
  readonly #unfolder: Unfolder
  readonly #profiles = new Map<RawSchema, Profile | null>()

  constructor(builder: GrammarBuilder, unfolder: Unfolder) {
    this.#builder = builder
    this.#unfolder = unfolder
  }

  areDisjoint(first: Obligations, second: Obligations): boolean {
    return this.#compare(first, second, 0)
  }

  #compare(first: Obligations, second: Obligations, depth: number): boolean {
    this.#builder.spend(1)
    this.#builder.walk(1)
    const [a, b] = [this.#profile(first), this.#profile(second)]
    if (a === null || b === null) return true
    if (depth > maxDepth) return false
    const [leftTypes, rightTypes] = [this.#possibleTypes(a, depth), this.#possibleTypes(b, depth)]
    if (leftTypes !== null && rightTypes !== null && leftTypes.isDisjointFrom(rightTypes)) return true
    const [left, right] = [a.facets.literals, b.facets.literals]
    if (left !== null && right !== null) return this.#haveNothingInCommon(left, right)
    const onlyObjects = [leftTypes, rightTypes].every((types) => types?.size === 1 && types.has('object'))
    return onlyObjects && this.#keysDiffer(a, b, depth)
  }

  /** Null if no value can fit. */
  #profile(obligations: Obligations): Profile | null {
    const { schemas, facets, branches } = obligations
    const [only, ...others] = schemas
    const isAlone = only !== undefined && others.length + facets.length + branches.length === 0
    const known = isAlone ? this.#profiles.get(only) : undefined
    if (known !== undefined) return known
    const profile = this.#createProfile(obligations)
    if (isAlone) this.#profiles.set(only, profile)
    return profile
  }

  #createProfile(obligations: Obligations): Profile | null {
    const { walk } = this.#builder
    const unfolded = this.#unfolder.unfold(obligations)
    if (unfolded === null) return null
    const required = new Set<string>()
    for (const list of keywordValues(unfolded.facets, 'required'))
      for (const name of Array.isArray(list) ? list : []) required.add(String(name))
    walk(unfolded.facets.length + required.size)
    return { facets: joinFacets(unfolded.facets, walk), branches: unfolded.branches, required, types: new Map() }
  }

  /** The possible types, with integers counted as numbers; null: all. */
  #possibleTypes(profile: Profile, depth: number): ReadonlySet<JsonType> | null {
    const known = profile.types.get(depth)
    if (known !== undefined) return known
    const { types, literals } = profile.facets
    const possible: ReadonlySet<JsonType>[] = []
    if (types !== null) possible.push(new Set([...types].map(asNumber)))
    if (literals !== null) possible.push(new Set(literals.map((value) => asNumber(jsonType(value)))))
    this.#builder.walk(1 + (literals?.length ?? 0))
    for (const branches of depth > maxDepth ? [] : profile.branches) {
      const some = this.#typesOfBranches(branches, depth + 1)
      if (some !== null) possible.push(some)
    }
    const all = possible.length === 0 ? null : possible.reduce((left, right) => left.intersection(right))
    profile.types.set(depth, all)
    return all
  }

  #typesOfBranches({ keyword, owner, options }: Obligations['branches'][number], depth: number): Set<JsonType> | null {
    const { document, walk } = this.#builder
    walk(options.length)
    const all = new Set<JsonType>()
    let isOpen = false
    for (const [index, option] of options.entries()) {
      const inner = this.#profile(mustFit(document.schemaAt(owner, option, keyword, `${index}`)))
      const some = inner === null ? new Set<JsonType>() : this.#possibleTypes(inner, depth)
      if (some === null) isOpen = true
      else for (const type of some) all.add(type)
    }
    return isOpen ? null : all
  }

  #haveNothingInCommon(left: readonly unknown[], right: readonly unknown[]): boolean {
    const [fewer, more] = left.length < right.length ? [left, right] : [right, left]
    this.#builder.walk(fewer.length)
    const keys = literalKeys(more)
    for (const key of literalKeys(fewer).keys()) if (keys.has(key)) return false
    return true
  }

  #keysDiffer(left: Profile, right: Profile, depth: number): boolean {
    for (const name of left.required.union(right.required)) {
      this.#builder.walk(1 + left.facets.sources.length + right.facets.sources.length)
      if (left.required.has(name) && forbids(right.facets, name)) return true
      if (right.required.has(name) && forbids(left.facets, name)) return true
      if (!left.required.has(name) || !right.required.has(name)) continue
      const [a, b] = [left, right].map(({ facets }) => propertyObligations(this.#builder, facets.sources, name))
      if (a !== undefined && b !== undefined && this.#compare(a, b, depth + 1)) return true
    }
    return false
  }
}

const asNumber = (type: JsonType): JsonType => (type === 'integer' ? 'number' : type)

const forbids = ({ sources }: Facets, name: string): boolean =>
  sources.some((source) => source.additionalProperties === false && !declares(source, name))

const declares = (source: RawSchema, name: string): boolean =>
  isRecord(source.properties) && Object.hasOwn(source.properties, name)

const propertyObligations = ({ document }: GrammarBuilder, sources: readonly RawSchema[], name: string): Obligations =>
  mustFit(
    ...sources.flatMap((source) =>
      isRecord(source.properties) && Object.hasOwn(source.properties, name)
        ? [document.schemaAt(source, source.properties[name], 'properties', name)]
        : [],
    ),
  )

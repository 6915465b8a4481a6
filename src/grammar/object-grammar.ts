import { keywordLimits, keywordValues } from './facets.ts'
import { choice, empty, type GrammarNode, nothing, repeat, sequence, text } from './grammar.ts'
import { type GrammarBuilder, refuseAt } from './grammar-builder.ts'
import { anyString, blank, comma, entry } from './json-text.ts'
import { mustFit } from './obligations.ts'
import { otherKeys } from './other-keys.ts'
import { isRecord, never, type RawSchema } from './schema-document.ts'
import { SchemaRefused } from './schema-refused.ts'

type Member = { node: GrammarNode; required: boolean }
type Counts = { min: number; max: number | null }

/** Objects with declared keys in schema order, then others if the schema mentions others. */
export const objectGrammar = (builder: GrammarBuilder, sources: readonly RawSchema[]): GrammarNode => {
  const { min, max } = keywordLimits(sources, 'minProperties', 'maxProperties')
  if (max !== null && min > max)
    throw refuseAt(builder, sources, 'minProperties', `'minProperties' is greater than 'maxProperties'.`)
  const required = new Set(keywordValues(sources, 'required').flat())
  const names = declaredNames(builder, sources)
  builder.spend(names.length)
  builder.walk(names.length * sources.length)
  const members = names.map((name) => ({
    node: entry(text(JSON.stringify(name)), valueOfKey(builder, sources, name)),
    // Validators that check inherited keys would find these when they are missing, so they are always written.
    required: required.has(name) || name in Object.prototype,
  }))
  const other = otherMember(builder, sources, names)
  // The same key may appear twice and then counts once.
  if (other !== null && min - names.length > 1)
    throw refuseAt(
      builder,
      sources,
      'minProperties',
      `'minProperties' cannot be enforced for keys that are not declared.`,
    )
  const inside = tailRules(builder, members, other, { min, max })
  return builder.define(sequence(text('{'), blank, inside, text('}')))
}

const declaredNames = (builder: GrammarBuilder, sources: readonly RawSchema[]): string[] => {
  const names = new Set<string>()
  for (const source of sources)
    if (isRecord(source.properties)) {
      const declared = Object.keys(source.properties)
      builder.walk(1 + declared.length)
      for (const name of declared) names.add(name)
    }
  for (const list of keywordValues(sources, 'required')) {
    const required: string[] = Array.isArray(list) ? list : []
    builder.walk(1 + required.length)
    for (const name of required) names.add(name)
  }
  for (const source of sources)
    if (names.has('__proto__') && isRecord(source.properties) && Object.hasOwn(source.properties, '__proto__'))
      throw new SchemaRefused(builder.document.schemaPath(source), `a property cannot be named '__proto__'.`)
  if (names.has('__proto__')) throw refuseAt(builder, sources, 'required', `a property cannot be named '__proto__'.`)
  return [...names]
}

const valueOfKey = (builder: GrammarBuilder, sources: readonly RawSchema[], name: string): GrammarNode => {
  const schemas = sources.flatMap((source) => {
    const declared = isRecord(source.properties) && Object.hasOwn(source.properties, name)
    if (declared && isRecord(source.properties))
      return [builder.document.schemaAt(source, source.properties[name], 'properties', name)]
    return additionalSchemas(builder, [source])
  })
  return builder.fitting(mustFit(...schemas))
}

const additionalSchemas = (builder: GrammarBuilder, sources: readonly RawSchema[]): RawSchema[] =>
  sources
    .filter((source) => source.additionalProperties !== undefined)
    .map((source) => builder.document.schemaAt(source, source.additionalProperties, 'additionalProperties'))

/**
 * A key that is not declared. A schema that declares keys but does not mention others gets no others: JSON Schema would
 * allow them, but they are rarely intended.
 */
const otherMember = (builder: GrammarBuilder, sources: readonly RawSchema[], names: string[]): GrammarNode | null => {
  const schemas = additionalSchemas(builder, sources)
  if (schemas.includes(never) || (schemas.length === 0 && names.length > 0)) return null
  const key = names.length === 0 ? anyString : otherKeys(builder, names)
  return builder.define(entry(key, builder.fitting(mustFit(...schemas))))
}

/** One rule per position between two members and per number of earlier members, as far as the number matters. */
const tailRules = (
  builder: GrammarBuilder,
  members: Member[],
  other: GrammarNode | null,
  { min, max }: Counts,
): GrammarNode => {
  const isLimited = max !== null && (other !== null || max < members.length)
  const highest = Math.max(isLimited ? members.length : min, 1)
  const rows: GrammarNode[][] = [endings(Math.min(highest, members.length), other, { min, max })]
  for (const [index, member] of members.toReversed().entries()) {
    const before = members.length - 1 - index
    const tails = rows.at(-1) ?? []
    const row: GrammarNode[] = []
    for (let count = 0; count <= Math.min(before, highest); count += 1) {
      const after = tails[Math.min(count + 1, highest)] ?? nothing
      const full = max !== null && isLimited && count >= max
      const taken = full ? nothing : sequence(count > 0 ? comma : empty, member.node, after)
      const node = member.required ? taken : choice(taken, tails[count] ?? nothing)
      builder.spend(1)
      row.push(builder.define(node))
    }
    rows.push(row)
  }
  return rows.at(-1)?.[0] ?? nothing
}

/** What may follow the last declared member, by the number of members. */
const endings = (highest: number, other: GrammarNode | null, { min, max }: Counts): GrammarNode[] =>
  Array.from({ length: highest + 1 }, (_, count) => {
    const stop = count < min ? nothing : count > 0 ? blank : empty
    const room = max === null ? null : max - count
    if (other === null || (room !== null && room <= 0) || min - count > 1) return stop
    const more = repeat(sequence(comma, other), count > 0 ? 1 : 0, count > 0 || room === null ? room : room - 1)
    return choice(stop, count > 0 ? sequence(more, blank) : sequence(other, more, blank))
  })

import { countLimit } from './compile-grammar.ts'
import { keywordLimits, keywordValues } from './facets.ts'
import { choice, empty, type GrammarNode, nothing, repeat, sequence, text } from './grammar.ts'
import { type GrammarBuilder, refuseAt } from './grammar-builder.ts'
import { blank, comma, listOf } from './json-text.ts'
import { mustFit } from './obligations.ts'
import type { RawSchema } from './schema-document.ts'

export const arrayGrammar = (builder: GrammarBuilder, sources: readonly RawSchema[]): GrammarNode => {
  const { min, max } = keywordLimits(sources, 'minItems', 'maxItems')
  if (min >= countLimit) throw refuseAt(builder, sources, 'minItems', `'minItems' is too large.`)
  if (max !== null && min > max) throw refuseAt(builder, sources, 'minItems', `'minItems' is greater than 'maxItems'.`)
  const prefixes = keywordValues(sources, 'prefixItems').filter(Array.isArray)
  const fixed = prefixes.reduce((longest, { length }) => Math.max(longest, length), 0)
  const inside =
    fixed === 0 ? listOf(furtherItem(builder, sources), min, max) : tuple(builder, sources, fixed, { min, max })
  return builder.define(sequence(text('['), blank, inside, text(']')))
}

type Counts = { min: number; max: number | null }

/** Items with individual schemas. A tuple without a rule for further items gets only as many as it needs. */
const tuple = (
  builder: GrammarBuilder,
  sources: readonly RawSchema[],
  fixed: number,
  { min, max }: Counts,
): GrammarNode => {
  builder.spend(fixed)
  builder.walk(fixed * sources.length)
  const isOpen = min > fixed || keywordValues(sources, 'items').length > 0
  const next = isOpen && (max === null || max > fixed) ? sequence(comma, furtherItem(builder, sources)) : nothing
  const further = repeat(next, Math.max(min - fixed, 0), max === null ? null : Math.max(max - fixed, 0))
  let tail: GrammarNode = builder.define(sequence(further, blank))
  for (let index = fixed - 1; index >= 0; index -= 1) {
    const item = sequence(index > 0 ? comma : empty, itemAt(builder, sources, index), tail)
    const stop = index >= min ? (index > 0 ? blank : empty) : nothing
    tail = builder.define(choice(stop, max === null || index < max ? item : nothing))
  }
  return tail
}

const itemAt = (builder: GrammarBuilder, sources: readonly RawSchema[], index: number): GrammarNode => {
  const schemas = sources.flatMap((source) => {
    const fixed: unknown[] = Array.isArray(source.prefixItems) ? source.prefixItems : []
    if (index < fixed.length) return [builder.document.schemaAt(source, fixed[index], 'prefixItems', `${index}`)]
    return source.items === undefined ? [] : [builder.document.schemaAt(source, source.items, 'items')]
  })
  return builder.fitting(mustFit(...schemas))
}

const furtherItem = (builder: GrammarBuilder, sources: readonly RawSchema[]): GrammarNode =>
  itemAt(builder, sources, Number.POSITIVE_INFINITY)

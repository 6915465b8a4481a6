import { countLimit } from './compile-grammar.ts'
import { keywordLimits, keywordStrings } from './facets.ts'
import { formatPatterns, freeFormats, numberFormats, refusedFormats } from './format-patterns.ts'
import { type GrammarNode, nothing, repeat, rule } from './grammar.ts'
import { countParts, isProductive } from './grammar-analysis.ts'
import { type GrammarBuilder, refuseAt } from './grammar-builder.ts'
import { jsonEscaped } from './json-escaped.ts'
import { anyString, quoted } from './json-text.ts'
import { limitLength } from './limit-length.ts'
import { createMatcher } from './matcher.ts'
import { PatternRefused } from './pattern-refused.ts'
import { regexGrammar, searchNode } from './regex-grammar.ts'
import type { RawSchema } from './schema-document.ts'

export const stringGrammar = (builder: GrammarBuilder, sources: readonly RawSchema[]): GrammarNode => {
  const { min, max } = keywordLimits(sources, 'minLength', 'maxLength')
  if (min >= countLimit) throw refuseAt(builder, sources, 'minLength', `'minLength' is too large.`)
  if (max !== null && min > max)
    throw refuseAt(builder, sources, 'minLength', `'minLength' is greater than 'maxLength'.`)
  const shape = stringShape(builder, sources)
  if (shape === null)
    return min === 0 && max === null ? anyString : builder.define(quoted(repeat(rule('character'), min, max)))
  builder.walk(shape.size)
  const limited = limitLength(shape.node, { min, max: max ?? Number.POSITIVE_INFINITY })
  if (limited === null)
    throw refuseAt(
      builder,
      sources,
      shape.keyword,
      `'${shape.keyword}' cannot be enforced together with these lengths.`,
    )
  if (!isProductive(limited, new Set()))
    throw refuseAt(builder, sources, shape.keyword, `'${shape.keyword}' matches no text.`)
  return builder.define(quoted(jsonEscaped(limited)))
}

/** Whether a string listed by the schema also fits its other keywords. */
export const stringTest = (builder: GrammarBuilder, sources: readonly RawSchema[]): ((value: string) => boolean) => {
  const { min, max } = keywordLimits(sources, 'minLength', 'maxLength')
  const fitsLength = (value: string): boolean => {
    if (min === 0 && max === null) return true
    builder.walk(1 + (value.length >> 3))
    const length = Array.from(value).length
    return length >= min && (max === null || length <= max)
  }
  const shape = stringShape(builder, sources)
  if (shape === null) return fitsLength
  builder.walk(shape.size)
  if (!isProductive(shape.node, new Set())) return () => false
  const matcher = createMatcher({ root: 'text', rules: { text: shape.node } }, { onWork: builder.walk })
  return (value) => {
    const end = value.isWellFormed() ? matcher.advance(matcher.start, Buffer.from(value)) : null
    return end !== null && matcher.mayEnd(end) && fitsLength(value)
  }
}

/** `size` is the number of parts. */
type Shape = { keyword: 'pattern' | 'format'; node: GrammarNode; size: number }

/** The constraint of `pattern` or `format` on the text itself, before JSON encoding. */
const stringShape = (builder: GrammarBuilder, sources: readonly RawSchema[]): Shape | null => {
  const patterns = [...keywordStrings(sources, 'pattern')]
  const formats = [...keywordStrings(sources, 'format')].flatMap(
    (name) => patternOfFormat(builder, sources, name) ?? [],
  )
  const [pattern, format] = [patterns[0], formats[0]]
  if (patterns.length + formats.length > 1)
    throw refuseAt(
      builder,
      sources,
      pattern === undefined ? 'format' : 'pattern',
      `only one 'pattern' or 'format' can be enforced at a time.`,
    )
  try {
    if (pattern !== undefined) return { keyword: 'pattern', ...searched(builder, pattern) }
    return format === undefined ? null : { keyword: 'format', ...formatted(format) }
  } catch (error) {
    if (!(error instanceof PatternRefused)) throw error
    throw refuseAt(builder, sources, 'pattern', `'pattern' cannot be enforced: ${error.reason}.`)
  }
}

type Parsed = Pick<Shape, 'node' | 'size'>

/** The patterns of one schema, each parsed once. */
const searches = new WeakMap<GrammarBuilder, Map<string, Parsed>>()
const searched = (builder: GrammarBuilder, pattern: string): Parsed => {
  const read = searches.get(builder) ?? new Map<string, Parsed>()
  searches.set(builder, read)
  const known = read.get(pattern)
  if (known !== undefined) return known
  builder.walk(10 * pattern.length)
  const parsed = measured(searchNode(pattern))
  read.set(pattern, parsed)
  return parsed
}

/** There are few formats, and their patterns are trusted. */
const formats = new Map<string, Parsed>()
const formatted = (pattern: string): Parsed => {
  const parsed = formats.get(pattern) ?? measured(regexGrammar(pattern).rules.root ?? nothing)
  formats.set(pattern, parsed)
  return parsed
}

const measured = (node: GrammarNode): Parsed => ({ node, size: countParts(node) })

const patternOfFormat = (builder: GrammarBuilder, sources: readonly RawSchema[], name: string): string | null => {
  const pattern = formatPatterns.get(name)
  if (pattern !== undefined) return pattern
  if (freeFormats.has(name) || numberFormats.has(name)) return null
  // An unknown format is only an annotation, unless the caller requires strictness.
  if (builder.strict || refusedFormats.has(name))
    throw refuseAt(builder, sources, 'format', `'format' of '${name.slice(0, 64)}' is not supported.`)
  return null
}

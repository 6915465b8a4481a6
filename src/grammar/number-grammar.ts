import { decimalRange } from './decimal-range.ts'
import { keywordNumbers, keywordStrings } from './facets.ts'
import { numberFormats } from './format-patterns.ts'
import type { GrammarNode } from './grammar.ts'
import { isProductive } from './grammar-analysis.ts'
import { type GrammarBuilder, refuseAt } from './grammar-builder.ts'
import { integerRange } from './integer-range.ts'
import { anyNumber } from './json-text.ts'
import type { RawSchema } from './schema-document.ts'

type Limit = { value: number; inclusive: boolean }

const defaultLast = 10n ** 16n - 1n
const int64First = -(2n ** 63n)
const int64Last = 2n ** 63n - 1n

export const numberGrammar = (
  builder: GrammarBuilder,
  sources: readonly RawSchema[],
  integersOnly: boolean,
): GrammarNode => {
  const formats = [...keywordStrings(sources, 'format')].map((name) => numberFormats.get(name) ?? null)
  const ranges = formats.filter((range) => range !== null)
  const low = tightest(
    sources,
    'minimum',
    'exclusiveMinimum',
    Math.max,
    ranges.map(({ minimum }) => minimum),
  )
  const high = tightest(
    sources,
    'maximum',
    'exclusiveMaximum',
    Math.min,
    ranges.map(({ maximum }) => maximum),
  )
  const refuse = (reason: string): never => {
    const keyword = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'].find((name) =>
      sources.some((source) => Object.hasOwn(source, name)),
    )
    throw refuseAt(builder, sources, keyword ?? 'format', reason)
  }
  if (integersOnly || ranges.length > 0 || keywordNumbers(sources, 'multipleOf').length > 0) {
    const [first, last] = integerLimits(low, high, refuse)
    if (first > last) return refuse('no integer lies between the limits.')
    return builder.share(`integer ${first} ${last}`, () => integerRange(first, last))
  }
  if (low === null && high === null) return anyNumber
  const node = decimalRange(low, high)
  return isProductive(node, new Set()) ? builder.define(node) : refuse('no number lies between the limits.')
}

/** Whether a number listed by the schema is also within its limits. */
export const numberFits = (sources: readonly RawSchema[], value: number): boolean =>
  keywordNumbers(sources, 'minimum').every((limit) => value >= limit) &&
  keywordNumbers(sources, 'exclusiveMinimum').every((limit) => value > limit) &&
  keywordNumbers(sources, 'maximum').every((limit) => value <= limit) &&
  keywordNumbers(sources, 'exclusiveMaximum').every((limit) => value < limit) &&
  (keywordNumbers(sources, 'multipleOf').length === 0 || Number.isInteger(value)) &&
  [...keywordStrings(sources, 'format')].every((name) => {
    const range = numberFormats.get(name) ?? null
    return range === null || (Number.isInteger(value) && value >= range.minimum && value <= range.maximum)
  })

const tightest = (
  sources: readonly RawSchema[],
  inclusive: string,
  exclusive: string,
  pick: (...values: number[]) => number,
  further: number[],
): Limit | null => {
  const included = [...keywordNumbers(sources, inclusive), ...further]
  const excluded = keywordNumbers(sources, exclusive)
  if (included.length + excluded.length === 0) return null
  const value = [...included, ...excluded].reduce((a, b) => pick(a, b))
  return { value, inclusive: !excluded.includes(value) }
}

const integerLimits = (low: Limit | null, high: Limit | null, refuse: (reason: string) => never): [bigint, bigint] => {
  // Beyond this, neighbouring integers are the same double, and rounding could produce an excluded limit.
  for (const limit of [low, high])
    if (limit !== null && !limit.inclusive && Math.abs(limit.value) > Number.MAX_SAFE_INTEGER)
      refuse('an exclusive limit beyond 2^53 cannot be enforced.')
  const least = low === null ? null : BigInt(low.inclusive ? Math.ceil(low.value) : Math.floor(low.value) + 1)
  const max = high === null ? null : BigInt(high.inclusive ? Math.floor(high.value) : Math.ceil(high.value) - 1)
  const first = least ?? (max !== null && max < -defaultLast / 10n ? int64First : -defaultLast)
  const last = max ?? (least !== null && least > defaultLast / 10n ? int64Last : defaultLast)
  return [first < int64First ? int64First : first, last > int64Last ? int64Last : last]
}

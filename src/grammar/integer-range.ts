import { chars, choice, type GrammarNode, nothing, repeat, sequence, text } from './grammar.ts'

const digitRange = (low: number, high: number): GrammarNode => (low === high ? text(`${low}`) : chars(`${low}-${high}`))
const anyDigits = (count: number): GrammarNode => repeat(chars('0-9'), count, count)

/** The integers from `low` to `high`, both included, without leading zeros. */
export const integerRange = (low: bigint, high: bigint): GrammarNode => {
  const options: GrammarNode[] = []
  if (low < 0n) {
    const least = high < 0n ? -high : 1n
    const negatives = naturalRange(least, -low)
    options.push(sequence(text('-'), choice(...negatives.map(({ node }) => node))))
  }
  if (high >= 0n) options.push(...naturalRange(low > 0n ? low : 0n, high).map(({ node }) => node))
  return low > high ? nothing : choice(...options)
}

/** Non-negative numbers, grouped by number of digits. */
export const naturalRange = (low: bigint, high: bigint): { digits: number; node: GrammarNode }[] => {
  const ranges: { digits: number; node: GrammarNode }[] = []
  for (let digits = low.toString().length; digits <= high.toString().length; digits += 1) {
    const least = digits === 1 ? 0n : 10n ** BigInt(digits - 1)
    const max = 10n ** BigInt(digits) - 1n
    const from = low > least ? low : least
    const to = high < max ? high : max
    if (from <= to) ranges.push({ digits, node: sameLength(from.toString(), to.toString()) })
  }
  return ranges
}

const sameLength = (from: string, to: string): GrammarNode => {
  let shared = 0
  while (shared < from.length && from[shared] === to[shared]) shared += 1
  const prefix = text(from.slice(0, shared))
  if (shared === from.length) return prefix
  const [low, high] = [Number(from[shared]), Number(to[shared])]
  const [lowTail, highTail] = [from.slice(shared + 1), to.slice(shared + 1)]
  const lowIsFree = /^0*$/.test(lowTail)
  const highIsFree = /^9*$/.test(highTail)
  const first = lowIsFree ? low : low + 1
  const last = highIsFree ? high : high - 1
  const options: GrammarNode[] = []
  if (!lowIsFree) options.push(sequence(text(`${low}`), sameLength(lowTail, '9'.repeat(lowTail.length))))
  if (first <= last) options.push(sequence(digitRange(first, last), anyDigits(lowTail.length)))
  if (!highIsFree) options.push(sequence(text(`${high}`), sameLength('0'.repeat(highTail.length), highTail)))
  return sequence(prefix, choice(...options))
}

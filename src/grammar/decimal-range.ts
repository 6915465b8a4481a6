import { chars, choice, empty, type GrammarNode, nothing, repeat, sequence, text } from './grammar.ts'
import { naturalRange } from './integer-range.ts'

/** A bound as its decimal digits. */
type Bound = { whole: bigint; fraction: string; inclusive: boolean }
type Limit = { value: number; inclusive: boolean }

const maxWhole = 10n ** 15n - 1n

/**
 * Some of the decimal numbers between two limits (null: none), without an exponent. Two different decimals of at most
 * 15 digits are different doubles, so a number beyond an excluded limit stays beyond it as a double; up to 17 digits
 * are safe if the limits themselves are allowed.
 */
export const decimalRange = (low: Limit | null, high: Limit | null): GrammarNode => {
  const digits = low?.inclusive === false || high?.inclusive === false ? 15 : 17
  const options: GrammarNode[] = []
  const zero: Limit = { value: 0, inclusive: true }
  if (low === null || low.value < 0) {
    const least = high !== null && high.value < 0 ? negate(high) : { ...zero, inclusive: false }
    const range = magnitudes(least, low === null ? null : negate(low), digits)
    options.push(sequence(text('-'), range))
  }
  if (high === null || high.value >= 0)
    options.push(magnitudes(low === null || low.value < 0 ? zero : low, high, digits))
  return choice(...options)
}

const negate = ({ value, inclusive }: Limit): Limit => ({ value: -value, inclusive })

const magnitudes = (from: Limit, to: Limit | null, digits: number): GrammarNode => {
  const low = toBound(from)
  const high = to === null ? null : toBound(to)
  if (high !== null && high.whole <= maxWhole) return between(low, high, digits)
  return between(low, { whole: maxWhole, fraction: '', inclusive: true }, digits)
}

const between = (low: Bound, high: Bound, digits: number): GrammarNode => {
  if (low.whole > high.whole) return nothing
  const room = (whole: bigint): number => Math.max(digits - whole.toString().length, 0)
  const at = (whole: bigint, least: Bound | null, max: Bound | null): GrammarNode =>
    sequence(text(whole.toString()), fraction(least, max, room(whole)))
  if (low.whole === high.whole) return at(low.whole, low, high)
  const inner = naturalRange(low.whole + 1n, high.whole - 1n)
  return choice(
    at(low.whole, low, null),
    ...inner.map(({ digits: length, node }) => sequence(node, fraction(null, null, Math.max(digits - length, 0)))),
    at(high.whole, null, high),
  )
}

/** The decimal point and the digits after it, or nothing. */
const fraction = (low: Bound | null, high: Bound | null, room: number): GrammarNode => {
  const more = room === 0 ? nothing : sequence(text('.'), someDigits(low, high, room))
  return mayStop(low, high) ? choice(empty, more) : more
}

/** Whether the number may end here: missing digits are zeros. */
const mayStop = (low: Bound | null, high: Bound | null): boolean =>
  (low === null || (low.fraction === '' && low.inclusive)) && (high === null || high.fraction !== '' || high.inclusive)

/** At least one digit and at most `room`, within the remaining bounds. */
const someDigits = (low: Bound | null, high: Bound | null, room: number): GrammarNode => {
  const least = low === null ? 0 : Number(low.fraction[0] ?? 0)
  const max = high === null ? 9 : Number(high.fraction[0] ?? 0)
  const options: GrammarNode[] = []
  for (const digit of new Set([least, max])) {
    const lowLeft = low !== null && digit === least ? behind(low) : null
    const highLeft = high !== null && digit === max ? behind(high) : null
    if (digit < least || digit > max || (lowLeft === null && highLeft === null)) continue
    const more = room === 1 ? nothing : someDigits(lowLeft, highLeft, room - 1)
    options.push(sequence(text(`${digit}`), mayStop(lowLeft, highLeft) ? choice(empty, more) : more))
  }
  const first = low === null ? 0 : least + 1
  const last = high === null ? 9 : max - 1
  if (first <= last) options.push(sequence(chars(`${first}-${last}`), repeat(chars('0-9'), 0, room - 1)))
  return choice(...options)
}

const behind = (bound: Bound): Bound => ({ ...bound, fraction: bound.fraction.slice(1) })

const toBound = ({ value, inclusive }: Limit): Bound => {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  const shift = Number(exponent)
  const digits = shift < 0 ? whole.padStart(whole.length - shift, '0') + decimals : whole + decimals
  const point = shift < 0 ? whole.length : whole.length + shift
  const padded = digits.padEnd(point, '0')
  return {
    whole: BigInt(padded.slice(0, point)),
    fraction: padded.slice(point).replace(/0+$/, ''),
    inclusive,
  }
}

import { type CodePointRange, tidyRanges } from './code-points.ts'

export type ByteRange = [number, number]

/** The last code points that are encoded in one, two, three and four bytes. */
const lastByLength = [0x7f, 0x7ff, 0xffff, 0x10ffff]

/**
 * The UTF-8 encodings of all characters of the ranges, each a sequence of byte ranges: only valid ones, so neither
 * surrogates nor overlong forms.
 */
export const utf8Ranges = (ranges: readonly CodePointRange[]): ByteRange[][] =>
  tidyRanges(ranges).flatMap(([low, high]) => splitByLength(low, high))

const splitByLength = (low: number, high: number): ByteRange[][] =>
  lastByLength.flatMap((last, index) => {
    const from = Math.max(low, index === 0 ? 0 : (lastByLength[index - 1] ?? 0) + 1)
    const to = Math.min(high, last)
    return from <= to ? splitByBytes(from, to, index + 1) : []
  })

/** Splits a range until the bytes of its ends, taken in pairs, cover exactly the range. */
const splitByBytes = (low: number, high: number, length: number): ByteRange[][] => {
  for (let tail = 1; tail < length; tail += 1) {
    const mask = (1 << (6 * tail)) - 1
    if ((low & ~mask) === (high & ~mask)) continue
    if ((low & mask) !== 0)
      return [...splitByBytes(low, low | mask, length), ...splitByBytes((low | mask) + 1, high, length)]
    if ((high & mask) !== mask)
      return [...splitByBytes(low, (high & ~mask) - 1, length), ...splitByBytes(high & ~mask, high, length)]
  }
  const ends = encode(high, length)
  return [encode(low, length).map((byte, index) => [byte, ends[index] ?? 0])]
}

const encode = (point: number, length: number): number[] => {
  if (length === 1) return [point]
  const lead = (0xf00 >> length) & 0xff
  return Array.from({ length }, (_, index) => {
    const bits = point >> (6 * (length - 1 - index))
    return index === 0 ? lead | bits : 0x80 | (bits & 0x3f)
  })
}

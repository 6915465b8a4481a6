export type CodePointRange = [number, number]

const lastCodePoint = 0x10ffff
/** Surrogates are not characters, and UTF-8 cannot encode them. */
const surrogates: CodePointRange = [0xd800, 0xdfff]

/** Sorted, disjoint, and free of surrogates. */
export const tidyRanges = (ranges: readonly CodePointRange[]): CodePointRange[] => {
  const sorted = ranges
    .flatMap(([low, high]) => outside(Math.max(low, 0), Math.min(high, lastCodePoint), surrogates))
    .sort((a, b) => a[0] - b[0])
  const tidy: CodePointRange[] = []
  for (const [low, high] of sorted) {
    const last = tidy.at(-1)
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high)
    else tidy.push([low, high])
  }
  return tidy
}

export const invertRanges = (ranges: readonly CodePointRange[]): CodePointRange[] => {
  const gaps: CodePointRange[] = []
  let next = 0
  for (const [low, high] of tidyRanges(ranges)) {
    if (low > next) gaps.push([next, low - 1])
    next = high + 1
  }
  if (next <= lastCodePoint) gaps.push([next, lastCodePoint])
  return tidyRanges(gaps)
}

export const subtractRanges = (from: readonly CodePointRange[], taken: readonly CodePointRange[]): CodePointRange[] =>
  invertRanges([...invertRanges(from), ...taken])

const outside = (low: number, high: number, [from, to]: CodePointRange): CodePointRange[] => {
  const parts: CodePointRange[] = [
    [low, Math.min(high, from - 1)],
    [Math.max(low, to + 1), high],
  ]
  return parts.filter(([start, end]) => start <= end)
}

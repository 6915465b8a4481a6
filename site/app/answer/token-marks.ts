/** The time that a strip shows at first, how far it fills before it shows more, and how many times as much it shows then. */
export type StripScale = { firstMs: number; fullAt: number; step: number }

/** The time span that a strip shows. It grows in steps, so that the marks do not move between them. */
export const stripSpanMs = (lastMs: number, { firstMs, fullAt, step }: StripScale): number => {
  let spanMs = firstMs
  while (lastMs > spanMs * fullAt) spanMs *= step
  return spanMs
}

const maxSingle = 400
const binWidth = 4
const reach = 8

/** All token marks as one path. Where there are too many to tell apart, one for each 4 px, as high as tokens fell into it. */
export const rungPath = (places: readonly number[], { width, middle }: { width: number; middle: number }): string => {
  if (places.length <= maxSingle) return places.map((x) => rung(x, middle, reach)).join('')
  const counts = new Map<number, number>()
  for (const x of places) {
    const bin = Math.min(Math.floor(x / binWidth), Math.floor(width / binWidth))
    counts.set(bin, (counts.get(bin) ?? 0) + 1)
  }
  const max = Math.max(...counts.values())
  return [...counts]
    .map(([bin, count]) => rung((bin + 0.5) * binWidth, middle, 2 + (reach - 2) * (count / max)))
    .join('')
}

const rung = (x: number, middle: number, half: number): string => `M${x} ${middle - half}V${middle + half}`

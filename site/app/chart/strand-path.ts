export type Point = readonly [x: number, y: number]

/** A curve through the points that never passes above or below the values it joins (monotone cubic). */
export const strandPath = (points: readonly Point[]): string => {
  const slopes = points.slice(1).map(([x, y], index) => {
    const [beforeX, beforeY] = points[index] ?? [x, y]
    return x === beforeX ? 0 : (y - beforeY) / (x - beforeX)
  })
  const tangents = points.map((_, index) => {
    const [before = 0, after = 0] = [slopes[index - 1], slopes[index]]
    return before * after > 0 ? (2 * before * after) / (before + after) : 0
  })
  return points
    .map(([x, y], index) => {
      const [beforeX, beforeY] = points[index - 1] ?? [x, y]
      if (index === 0) return `M${round(x)} ${round(y)}`
      const third = (x - beforeX) / 3
      const from = `${round(beforeX + third)} ${round(beforeY + (tangents[index - 1] ?? 0) * third)}`
      const to = `${round(x - third)} ${round(y - (tangents[index] ?? 0) * third)}`
      return `C${from} ${to} ${round(x)} ${round(y)}`
    })
    .join('')
}

const round = (value: number): number => Math.round(value * 10) / 10

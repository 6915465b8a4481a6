import { type Point, strandPath } from './strand-path.ts'

/** A strand joins neighbours that both have a value: it crosses no gap, and a single value has none. */
export const strandRuns = (points: readonly (Point | null)[]): string =>
  splitRuns(points)
    .filter(({ length }) => length > 1)
    .map(strandPath)
    .join('')

/** Values without a neighbour, which no strand shows. */
export const singlePoints = (points: readonly (Point | null)[]): Point[] =>
  splitRuns(points).flatMap((run) => (run.length === 1 ? run : []))

const splitRuns = (points: readonly (Point | null)[]): Point[][] => {
  const runs: Point[][] = [[]]
  for (const point of points) {
    if (point === null) runs.push([])
    else runs.at(-1)?.push(point)
  }
  return runs
}

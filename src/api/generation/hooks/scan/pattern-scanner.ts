import type { Automaton } from './compile-pattern.ts'
import { ascii, isWordPoint, lengthOf, type Scanner, type ScannerKind } from './scanner.ts'

type PatternScannerOptions = {
  /** What is longer is not found; so much of a stream may be held back. */
  maxLength?: number
  /** What has to end where a match begins. It is not covered itself. */
  after?: ScannerKind
}

const none = Number.POSITIVE_INFINITY
const usualLength = 1024

/** The places of an automaton that were just read, each with the earliest position where such a match begins. */
type Reached = { places: Int32Array; count: number; startOf: Float64Array }

/** Covers everything that any match covers, in one pass over the text. */
export const createPatternScanner = (
  automaton: Automaton,
  { maxLength = usualLength, after }: PatternScannerOptions = {},
): ScannerKind => {
  const { ranges, first, follow, isLast, startsWord } = automaton
  const accepts = createAccepts(automaton)
  const isFirst = (point: number): boolean => first.some((place) => accepts(place, point))
  const beginnings = Uint8Array.from({ length: ascii }, (_, point) => (isFirst(point) ? 1 : 0))
  const begins = (point: number): boolean => (point < ascii ? beginnings[point] === 1 : isFirst(point))
  const beginsBeyondAscii = first.some((place) => ranges[place]?.some(([, high]) => high >= ascii))
  const nothing = (): Reached => ({
    places: new Int32Array(follow.length),
    count: 0,
    startOf: new Float64Array(follow.length).fill(none),
  })
  const create = (): Scanner => {
    let reached: Reached | null = null
    let next: Reached | null = null
    let pendingFrom = none
    const preceding = after?.create()
    /** Where what has to precede has ended. */
    let openedAt = -1
    const open = (_: number, to: number): void => {
      openedAt = to
    }
    return {
      get pendingFrom() {
        return preceding === undefined ? pendingFrom : Math.min(pendingFrom, preceding.pendingFrom)
      },
      push(point, at, before, cover) {
        const isOpen = preceding === undefined || openedAt === at
        let steps = preceding?.push(point, at, before, open) ?? 0
        const mayStart = isOpen && !(startsWord && isWordPoint(before))
        if (pendingFrom === none && !(mayStart && begins(point))) return steps + (point < ascii ? 1 : first.length)
        reached ??= nothing()
        next ??= nothing()
        steps += reach(next, mayStart ? first : [], at, point)
        for (let index = 0; index < reached.count; index += 1) {
          const place = reached.places[index] ?? 0
          const start = reached.startOf[place] ?? none
          reached.startOf[place] = none
          if (at - start < maxLength) steps += reach(next, follow[place] ?? [], start, point)
        }
        reached.count = 0
        ;[reached, next] = [next, reached]
        pendingFrom = none
        for (let index = 0; index < reached.count; index += 1) {
          const place = reached.places[index] ?? 0
          const start = reached.startOf[place] ?? none
          if (start < pendingFrom) pendingFrom = start
          if (isLast[place]) cover(start, at + lengthOf(point))
        }
        return 1 + steps
      },
      end() {
        preceding?.end(open)
        pendingFrom = none
      },
    }
  }
  /** Those of the places that accept the character. Returns how many were tried. */
  const reach = (into: Reached, tried: readonly number[], start: number, point: number): number => {
    const { places, startOf } = into
    for (const place of tried) {
      const known = startOf[place] ?? none
      if (start >= known || !accepts(place, point)) continue
      if (known === none) {
        places[into.count] = place
        into.count += 1
      }
      startOf[place] = start
    }
    return tried.length
  }
  return { begins, beginsBeyondAscii, startsWord, ...after, create }
}

/** Whether a place accepts a character. */
const createAccepts = ({ ranges }: Automaton): ((place: number, point: number) => boolean) => {
  const isIn = (place: number, point: number): boolean => {
    for (const [low, high] of ranges[place] ?? []) if (point >= low && point <= high) return true
    return false
  }
  const table = new Uint8Array(ranges.length * ascii)
  for (const [place, accepted] of ranges.entries())
    for (const [low, high] of accepted)
      table.fill(1, place * ascii + Math.min(low, ascii), place * ascii + Math.min(high + 1, ascii))
  return (place, point) => (point < ascii ? table[place * ascii + point] === 1 : isIn(place, point))
}

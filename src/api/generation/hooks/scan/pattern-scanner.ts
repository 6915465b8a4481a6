import type { Automaton } from './compile-pattern.ts'
import { type CreateScanner, type Scanner, ScanTooLong } from './scanner.ts'

type PatternScannerOptions = {
  /** What is longer is not found; so much of a stream may be held back. */
  maxLength?: number
  /** For one text. */
  maxSteps?: number
}

const none = Number.POSITIVE_INFINITY
const usualLength = 1024
const usualSteps = 100_000_000
const ascii = 128

/** Covers everything that any match covers, in one pass over the text. */
export const createPatternScanner = (
  automaton: Automaton,
  { maxLength = usualLength, maxSteps = usualSteps }: PatternScannerOptions = {},
): CreateScanner => {
  const starts = Uint8Array.from({ length: ascii }, (_, point) => (mayBegin(automaton, point) ? 1 : 0))
  return (): Scanner => {
    const { ranges, first, follow, isLast, startsWord } = automaton
    /** The places that were just read, each with the earliest position where such a match begins. */
    let reached = new Map<number, number>()
    let pendingFrom = none
    let wasWord = false
    let steps = 0
    return {
      get pendingFrom() {
        return pendingFrom
      },
      push(point, at, cover) {
        const mayStart = !(startsWord && wasWord)
        wasWord = startsWord && isWordPoint(point)
        // Most characters begin nothing.
        if (reached.size === 0 && !(mayStart && (point >= ascii ? mayBegin(automaton, point) : starts[point] === 1)))
          return
        const next = new Map<number, number>()
        const reach = (places: readonly number[], start: number): void => {
          steps += places.length
          for (const place of places)
            if (start < (next.get(place) ?? none) && accepts(ranges[place], point)) next.set(place, start)
        }
        for (const [place, start] of reached) if (at - start < maxLength) reach(follow[place] ?? [], start)
        if (mayStart) reach(first, at)
        if (steps > maxSteps) throw new ScanTooLong()
        reached = next
        pendingFrom = none
        for (const [place, start] of next) {
          if (start < pendingFrom) pendingFrom = start
          if (isLast[place]) cover(start, at + 1)
        }
      },
      end() {
        pendingFrom = none
      },
    }
  }
}

const mayBegin = ({ first, ranges }: Automaton, point: number): boolean =>
  first.some((place) => accepts(ranges[place], point))

const accepts = (ranges: Automaton['ranges'][number] | undefined, point: number): boolean => {
  for (const [low, high] of ranges ?? []) if (point >= low && point <= high) return true
  return false
}

/** Letters, digits and `_` of ASCII. */
const isWordPoint = (point: number): boolean =>
  (point >= 48 && point <= 57) || (point >= 65 && point <= 90) || (point >= 97 && point <= 122) || point === 95

import { openEndLength, startOfFirstComplete } from './text-search.ts'

/**
 * Finds the first of several stop sequences in a text that arrives in pieces: the one that is complete first, so that the
 * result does not depend on the pieces. A tail that could become a stop sequence is held back until it is clear that it does
 * not; nothing of a stop sequence is ever released.
 */
export interface StopScanner {
  /** Returns the text that can be sent. Once `stopped`, all further text is dropped. */
  push(text: string): { text: string; stopped: boolean }
  /** The text has ended without a stop sequence: returns what was held back. */
  flush(): string
  /** The length of what is held back. */
  readonly heldLength: number
  /** The stop sequence that was found, if any. */
  readonly found: string | null
}

export const createStopScanner = (stops: readonly string[]): StopScanner => {
  let held = ''
  let stopped = false
  let found: string | null = null
  return {
    push(added) {
      if (stopped) return { text: '', stopped }
      const text = held + added
      const start = startOfFirstComplete(text, stops)
      if (start !== -1) {
        stopped = true
        held = ''
        found = shortestAt(text, start, stops)
        return { text: text.slice(0, start), stopped }
      }
      const safe = text.length - openEndLength(text, stops)
      held = text.slice(safe)
      return { text: text.slice(0, safe), stopped }
    },
    flush() {
      const rest = held
      held = ''
      return rest
    },
    get heldLength() {
      return held.length
    },
    get found() {
      return found
    },
  }
}

/** Of several that begin there, the shortest was complete first. */
const shortestAt = (text: string, start: number, stops: readonly string[]): string | null => {
  let shortest: string | null = null
  for (const stop of stops)
    if (text.startsWith(stop, start) && (shortest === null || stop.length < shortest.length)) shortest = stop
  return shortest
}

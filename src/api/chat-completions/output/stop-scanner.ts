import { openEndLength, startOfFirstComplete } from './text-search.ts'

/**
 * Finds the first of several stop texts in a text that arrives in pieces: the one that is complete first, so that the cuts
 * between pieces do not matter. A tail that could still become a stop text is held back; nothing of the stop text found is
 * ever released, and a false start is released as soon as it is one.
 */
export interface StopScanner {
  /** The text that is safe to send. Once `stopped`, everything later is dropped. */
  push(piece: string): { text: string; stopped: boolean }
  /** The text ended without a stop text: what was held back. */
  flush(): string
  /** The length of what is held back. */
  readonly heldLength: number
}

export const createStopScanner = (stops: readonly string[]): StopScanner => {
  let held = ''
  let stopped = false
  return {
    push(piece) {
      if (stopped) return { text: '', stopped }
      const text = held + piece
      const found = startOfFirstComplete(text, stops)
      if (found !== -1) {
        stopped = true
        held = ''
        return { text: text.slice(0, found), stopped }
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
  }
}

/**
 * Finds the first of several stop texts in a text that arrives in pieces. A tail that could still become a stop text is
 * held back; nothing of a stop text is ever released, and a false start is released as soon as it is one.
 */
export interface StopScanner {
  /** The text that is safe to send. Once `stopped`, everything later is dropped. */
  push(piece: string): { text: string; stopped: boolean }
  /** The answer ended without a stop text: what was held back. */
  flush(): string
}

export const createStopScanner = (stops: readonly string[]): StopScanner => {
  let held = ''
  let stopped = false
  return {
    push(piece) {
      if (stopped) return { text: '', stopped }
      const text = held + piece
      const found = firstStop(text, stops)
      if (found !== -1) {
        stopped = true
        held = ''
        return { text: text.slice(0, found), stopped }
      }
      const safe = text.length - heldLength(text, stops)
      held = text.slice(safe)
      return { text: text.slice(0, safe), stopped }
    },
    flush() {
      const rest = held
      held = ''
      return rest
    },
  }
}

const firstStop = (text: string, stops: readonly string[]): number => {
  const places = stops.map((stop) => text.indexOf(stop)).filter((place) => place !== -1)
  return places.length === 0 ? -1 : Math.min(...places)
}

/** The length of the longest end of the text that begins some stop text. */
const heldLength = (text: string, stops: readonly string[]): number => {
  let longest = 0
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(stop.slice(0, length))) {
        longest = length
        break
      }
    }
  }
  return longest
}

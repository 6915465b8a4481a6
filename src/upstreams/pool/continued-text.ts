/**
 * Removes what a continuation repeats of the text that was already sent. A model that is asked in words to continue may
 * begin the answer again, or repeat its last sentence, before it goes on.
 */
export interface ContinuedText {
  /** The new text that these characters add; empty while they may still be a repetition. */
  push(text: string): string
  /** The continuation has ended: what was held back. */
  flush(): string
  /** How many characters were removed. */
  readonly repeatedLength: number
}

/** Shorter repetitions are more often meant than not. */
const leastOverlap = 12
/** How far from its end the sent text is searched. */
const maxOverlap = 2000

export const createContinuedText = (sent: string): ContinuedText => {
  const tail = sent.slice(-maxOverlap)
  let held = ''
  let isDecided = false
  let repeatedLength = 0

  const decide = (isEnd: boolean): string => {
    const isRestart = held.length < sent.length ? sent.startsWith(held) : held.startsWith(sent)
    if (isRestart) return held.length < sent.length && !isEnd ? wait() : release(Math.min(held.length, sent.length))
    // As long as all that is held occurs in the tail, more of it may follow.
    if (!isEnd && held.length < tail.length && tail.includes(held)) return wait()
    return release(measureOverlap(tail, held))
  }
  const wait = (): string => ''
  const release = (repeated: number): string => {
    isDecided = true
    repeatedLength = repeated < Math.min(leastOverlap, sent.length) ? 0 : repeated
    const rest = held.slice(repeatedLength)
    held = ''
    return rest
  }
  return {
    push(text) {
      if (isDecided) return text
      held += text
      return decide(false)
    },
    flush() {
      return isDecided || held === '' ? '' : decide(true)
    },
    get repeatedLength() {
      return repeatedLength
    },
  }
}

/** How many characters at the beginning of a text are the end of another. */
const measureOverlap = (before: string, text: string): number => {
  for (let length = Math.min(before.length, text.length); length > 0; length -= 1)
    if (before.endsWith(text.slice(0, length))) return length
  return 0
}

import { createStopScanner } from './stop-scanner.ts'

/** Turns the bytes of tokens into text that may be sent: whole characters only, nothing of a stop text. */
export interface AnswerText {
  push(bytes: Uint8Array): { text: string; stopped: boolean }
  /** The end of the answer: what was held back. Half a character is dropped, not shown as U+FFFD. */
  flush(): string
}

export const createAnswerText = (stops: readonly string[]): AnswerText => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  if (stops.length === 0)
    return { push: (bytes) => ({ text: decoder.decode(bytes, { stream: true }), stopped: false }), flush: () => '' }
  const scanner = createStopScanner(stops)
  return {
    push: (bytes) => scanner.push(decoder.decode(bytes, { stream: true })),
    flush: () => scanner.flush(),
  }
}

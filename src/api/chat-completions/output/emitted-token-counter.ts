import { incompleteTailLength } from './utf8-tail.ts'

/** How many tokens of an answer are wholly emitted: their last byte is out, or never will be. */
export type EmittedCounts = { tokens: number /** Of these: thoughts. */; reasoning: number }

/**
 * Knows where in the text of an answer each of its tokens ends, in UTF-16 units. A token that ends within a character ends
 * with that character.
 */
export interface EmittedTokenCounter {
  /** The next token, and the length of the text that was decoded with it. */
  push(bytes: Uint8Array, decodedLength: number): void
  /** The last token belongs to a thought. */
  markReasoning(): void
  /** Those that end within so much of the text. Asked for with ever more of it. */
  within(length: number): EmittedCounts
  /** How many were marked. */
  readonly reasoningTokens: number
}

type Token = { end: number; isReasoning: boolean }

export const createEmittedTokenCounter = (): EmittedTokenCounter => {
  let pending: Token[] = []
  let firstPending = 0
  let last: Token | null = null
  let length = 0
  let emitted: EmittedCounts = { tokens: 0, reasoning: 0 }
  let reasoningTokens = 0
  /** The beginning of a character, and the tokens that end in it, by their place there. */
  let open: Uint8Array = new Uint8Array()
  let waiting: { token: Token; place: number }[] = []

  const pushOpen = (token: Token, bytes: Uint8Array): void => {
    const all = Buffer.concat([open, bytes])
    const whole = all.length - incompleteTailLength(all)
    waiting.push({ token, place: all.length })
    for (const { token: one, place } of waiting)
      if (place <= whole) one.end = length + decodedLength(all.subarray(0, characterEnd(all, place)))
    waiting = waiting.filter(({ place }) => place > whole).map((one) => ({ ...one, place: one.place - whole }))
    length += decodedLength(all.subarray(0, whole))
    open = all.subarray(whole)
  }

  return {
    push(bytes, decoded) {
      last = { end: Number.POSITIVE_INFINITY, isReasoning: false }
      pending.push(last)
      if (open.length === 0 && incompleteTailLength(bytes) === 0) {
        length += decoded
        last.end = length
      } else pushOpen(last, bytes)
    },
    markReasoning() {
      if (last === null || last.isReasoning) return
      last.isReasoning = true
      reasoningTokens += 1
    },
    within(toldLength) {
      let { tokens, reasoning } = emitted
      for (
        let token = pending[firstPending];
        token !== undefined && token.end <= toldLength;
        token = pending[firstPending]
      ) {
        firstPending += 1
        tokens += 1
        if (token.isReasoning) reasoning += 1
      }
      if (firstPending === pending.length) {
        pending = []
        firstPending = 0
      }
      if (tokens !== emitted.tokens) emitted = { tokens, reasoning }
      return emitted
    },
    get reasoningTokens() {
      return reasoningTokens
    },
  }
}

/** Where the character ends that the byte in front of `place` belongs to. The last character of `bytes` may be open. */
const characterEnd = (bytes: Uint8Array, place: number): number => {
  for (let end = place; end < bytes.length; end += 1) {
    const tail = incompleteTailLength(bytes.subarray(0, end))
    if (tail <= end - place) return end - tail
  }
  return bytes.length - incompleteTailLength(bytes)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const decodedLength = (bytes: Uint8Array): number => decoder.decode(bytes).length

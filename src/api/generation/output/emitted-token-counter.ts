import { incompleteTailLength } from './utf8-tail.ts'

/** How many tokens of a choice are emitted completely: their last byte was sent, or never will be. */
export type EmittedCounts = {
  tokens: number
  /** Those among them that contain reasoning. */
  reasoning: number
}

/** `end`: where the token ends in the text, in UTF-16 units; infinite until the character that it ends in is complete. */
type Token = { end: number; isReasoning: boolean }

/** Counts the tokens that a part of the text completes. A token that ends within a character ends with that character. */
export class EmittedTokenCounter {
  #pending: Token[] = []
  #firstPending = 0
  #last: Token | null = null
  #emitted: EmittedCounts = { tokens: 0, reasoning: 0 }
  #reasoningTokens = 0
  #textLength = 0
  /** The beginning of a character, and the tokens that end in it, each with its end in these bytes. */
  #incomplete: Uint8Array = new Uint8Array()
  #incompleteTokens: { token: Token; endByte: number }[] = []

  /** How many tokens were marked as reasoning, emitted or not. */
  get reasoningTokens(): number {
    return this.#reasoningTokens
  }

  /** Adds the next token, with the length of the text that was decoded with it. */
  push(bytes: Uint8Array, decodedLength: number): void {
    const token = { end: Number.POSITIVE_INFINITY, isReasoning: false }
    this.#last = token
    this.#pending.push(token)
    if (this.#incomplete.length === 0 && incompleteTailLength(bytes) === 0) {
      this.#textLength += decodedLength
      token.end = this.#textLength
    } else this.#pushIncomplete(token, bytes)
  }

  /** Adds the next token, which consists of complete characters. */
  pushText(length: number): void {
    this.#textLength += length
    this.#last = { end: this.#textLength, isReasoning: false }
    this.#pending.push(this.#last)
  }

  /** Adds so many tokens of complete characters that are emitted together. False, without adding any, if others are not emitted yet. */
  pushEmitted(length: number, tokens: number): boolean {
    if (this.#pending.length > 0 || this.#incomplete.length > 0) return false
    this.#textLength += length
    this.#last = null
    this.#emitted = { tokens: this.#emitted.tokens + tokens, reasoning: this.#emitted.reasoning }
    return true
  }

  /** The last token contains reasoning. */
  markReasoning(): void {
    if (this.#last === null || this.#last.isReasoning) return
    this.#last.isReasoning = true
    this.#reasoningTokens += 1
  }

  /** The tokens that end within that much of the text. The length never decreases from call to call. */
  within(length: number): EmittedCounts {
    let { tokens, reasoning } = this.#emitted
    for (let token = this.#nextPending(); token !== undefined && token.end <= length; token = this.#nextPending()) {
      this.#firstPending += 1
      tokens += 1
      if (token.isReasoning) reasoning += 1
    }
    if (this.#firstPending === this.#pending.length) {
      this.#pending = []
      this.#firstPending = 0
    }
    if (tokens !== this.#emitted.tokens) this.#emitted = { tokens, reasoning }
    return this.#emitted
  }

  #nextPending(): Token | undefined {
    return this.#pending[this.#firstPending]
  }

  #pushIncomplete(token: Token, bytes: Uint8Array): void {
    const all = Buffer.concat([this.#incomplete, bytes])
    const completeLength = all.length - incompleteTailLength(all)
    this.#incompleteTokens.push({ token, endByte: all.length })
    for (const { token: one, endByte } of this.#incompleteTokens)
      if (endByte <= completeLength)
        one.end = this.#textLength + decodedLength(all.subarray(0, characterEnd(all, endByte)))
    this.#incompleteTokens = this.#incompleteTokens
      .filter(({ endByte }) => endByte > completeLength)
      .map((one) => ({ ...one, endByte: one.endByte - completeLength }))
    this.#textLength += decodedLength(all.subarray(0, completeLength))
    this.#incomplete = all.subarray(completeLength)
  }
}

/** Where the character ends that contains the byte before `endByte`. The last character of `bytes` may be incomplete. */
const characterEnd = (bytes: Uint8Array, endByte: number): number => {
  for (let end = endByte; end < bytes.length; end += 1) {
    const tail = incompleteTailLength(bytes.subarray(0, end))
    if (tail <= end - endByte) return end - tail
  }
  return bytes.length - incompleteTailLength(bytes)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const decodedLength = (bytes: Uint8Array): number => decoder.decode(bytes).length

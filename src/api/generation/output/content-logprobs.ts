import type { TokenLogprob } from '../../../engine/contract.ts'
import { incompleteTailLength } from './utf8-tail.ts'

/** A token of the content with its log probability. `bytes` are those that are part of the content. */
export type ContentLogprob = { bytes: Uint8Array; logprob: TokenLogprob }
type PendingToken = ContentLogprob & {
  /** For how many of its bytes it is known whether they are content. */
  decidedBytes: number
  contentParts: Uint8Array[]
}

/**
 * Keeps the tokens of a choice beside its text, so that the bytes of the reported tokens, joined, are the bytes of the
 * content: tokens of calls and stop sequences are left out, and of a token that is partly content only that part is reported.
 */
export const createContentLogprobs = () => {
  /** Tokens that end within a character, and all their bytes. */
  const incomplete: ContentLogprob[] = []
  let incompleteBytes = new Uint8Array()
  const pending: PendingToken[] = []

  const decode = (length: number): string => {
    const complete = incompleteBytes.subarray(0, length)
    const text = decoder.decode(complete)
    // Bytes that are not UTF-8 appear as U+FFFD; the first of the tokens then reports all of the text.
    const shown = Buffer.from(text)
    const isExact = shown.equals(complete)
    let left = length
    for (const [index, { bytes, logprob }] of incomplete.entries()) {
      const own = isExact ? bytes.subarray(0, left) : index === 0 ? shown : new Uint8Array()
      left -= own.length
      pending.push({ bytes: own, logprob, decidedBytes: 0, contentParts: [] })
    }
    incomplete.length = 0
    incompleteBytes = new Uint8Array()
    return text
  }

  return {
    /** Adds the next token; returns the text that it completes. */
    push(token: ContentLogprob): string {
      incomplete.push(token)
      incompleteBytes = Buffer.concat([incompleteBytes, token.bytes])
      return incompleteTailLength(incompleteBytes) === 0 ? decode(incompleteBytes.length) : ''
    },
    /** The model has ended: returns the remaining text, without an incomplete character. */
    flush: (): string => decode(incompleteBytes.length - incompleteTailLength(incompleteBytes)),
    /** The next part of the text is content, or is not. Returns the tokens of the content that are completed by it. */
    decide(source: string, isContent: boolean): ContentLogprob[] {
      const completed: ContentLogprob[] = []
      let bytes: Uint8Array = Buffer.from(source)
      while (pending.length > 0) {
        const [token] = pending
        if (token === undefined) break
        const part = bytes.subarray(0, token.bytes.length - token.decidedBytes)
        token.decidedBytes += part.length
        if (isContent) token.contentParts.push(part)
        bytes = bytes.subarray(part.length)
        if (token.decidedBytes < token.bytes.length) break
        pending.shift()
        if (hasContent(token) || (isContent && token.bytes.length === 0)) completed.push(contentLogprob(token))
        if (bytes.length === 0 && pending[0]?.bytes.length !== 0) break
      }
      return completed
    },
    /** Nothing follows: returns the tokens that are partly content, or all of them. */
    rest: (isAll = false): ContentLogprob[] =>
      pending
        .splice(0)
        .filter((token) => isAll || hasContent(token))
        .map(contentLogprob),
  }
}

const hasContent = ({ contentParts }: PendingToken): boolean => contentParts.some(({ length }) => length > 0)

const contentLogprob = ({ contentParts, logprob }: PendingToken): ContentLogprob => ({
  bytes: Buffer.concat(contentParts),
  logprob,
})

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

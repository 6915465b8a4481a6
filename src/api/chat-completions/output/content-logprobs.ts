import type { TokenLogprob } from '../../../engine/contract.ts'
import { incompleteTailLength } from './utf8-tail.ts'

/** A token and its probability, with the bytes of it that are in the content. */
export type ContentLogprob = { bytes: Uint8Array; logprob: TokenLogprob }
type Waiting = ContentLogprob & { /** How many of its bytes were decided on. */ decided: number; kept: Uint8Array[] }

/**
 * Keeps the tokens of an answer beside its text, so that the bytes of the tokens that are told, joined, are the bytes of
 * the content: tokens of calls and stop texts are left out, and one that is in the content with a part of it is told with
 * that part.
 */
export const createContentLogprobs = () => {
  const group: ContentLogprob[] = []
  const waiting: Waiting[] = []
  let groupBytes = new Uint8Array()

  const settle = (until: number): string => {
    const whole = groupBytes.subarray(0, until)
    const text = decoder.decode(whole)
    // Bytes that never were a character show as U+FFFD; the first token of the group then tells all of them.
    const shown = Buffer.from(text)
    const isExact = shown.equals(whole)
    let left = until
    for (const [index, { bytes, logprob }] of group.entries()) {
      const own = isExact ? bytes.subarray(0, left) : index === 0 ? shown : new Uint8Array()
      left -= own.length
      waiting.push({ bytes: own, logprob, decided: 0, kept: [] })
    }
    group.length = 0
    groupBytes = new Uint8Array()
    return text
  }

  return {
    /** Takes the next token; gives the text that is whole with it. */
    push(token: ContentLogprob): string {
      group.push(token)
      groupBytes = Buffer.concat([groupBytes, token.bytes])
      return incompleteTailLength(groupBytes) === 0 ? settle(groupBytes.length) : ''
    },
    /** The answer has ended: the text that is whole. Half a character is dropped. */
    flush: (): string => settle(groupBytes.length - incompleteTailLength(groupBytes)),
    /** The next part of the text is in the content, or is not. Gives the tokens that are decided on with it. */
    decide(source: string, isContent: boolean): ContentLogprob[] {
      const result: ContentLogprob[] = []
      let bytes: Uint8Array = Buffer.from(source)
      while (waiting.length > 0) {
        const [token] = waiting
        if (token === undefined) break
        const part = bytes.subarray(0, token.bytes.length - token.decided)
        token.decided += part.length
        if (isContent) token.kept.push(part)
        bytes = bytes.subarray(part.length)
        if (token.decided < token.bytes.length) break
        waiting.shift()
        if (token.kept.some(({ length }) => length > 0) || (isContent && token.bytes.length === 0))
          result.push({ bytes: Buffer.concat(token.kept), logprob: token.logprob })
        if (bytes.length === 0 && waiting[0]?.bytes.length !== 0) break
      }
      return result
    },
    /** Nothing more follows: the tokens of which a part is in the content. */
    rest(): ContentLogprob[] {
      const result = waiting
        .filter(({ kept }) => kept.some(({ length }) => length > 0))
        .map(({ kept, logprob }) => ({ bytes: Buffer.concat(kept), logprob }))
      waiting.length = 0
      return result
    },
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

import type { PromptToken, TokenLogprob } from '../../engine/contract.ts'
import { longList } from '../../http/json/long-list.ts'
import type { ContentLogprob } from '../generation/output/content-logprobs.ts'
import { contentLogprobJson } from '../openai/answer-shapes.ts'

/** The older shape: parallel lists, with the position of each token in the text. Nothing precedes the first token of a prompt. */
export type LegacyLogprobs = {
  tokens: string[]
  token_logprobs: (number | null)[]
  top_logprobs: (Record<string, number> | null)[]
  text_offset: number[]
}

/**
 * The log probabilities of a choice, which may come in pieces. A token that begins within a character has the position of that
 * character. `echo`: the text before the answer; null if it is that of the prompt's tokens. `count`: how many of the most
 * likely tokens are listed.
 */
export const createLegacyLogprobs = (echo: string | null, count: number) => {
  let isAnswer = false
  let isFirst = true
  let textOf = newDecoder()
  let offset = 0
  const place = (bytes: Uint8Array): { start: number; text: string } => {
    const [start, text] = [offset, textOf(bytes)]
    offset += text.length
    return { start, text }
  }
  /** A token that the engine put in front of a text is not part of it. */
  const isAdded = (token: string): boolean => {
    const wasFirst = isFirst
    isFirst = false
    return echo !== null && wasFirst && !echo.startsWith(token)
  }
  return {
    /** Tokens of the prompt, and their text. */
    prompt(tokens: readonly PromptToken[]): { text: string; logprobs: LegacyLogprobs } {
      let text = ''
      const logprobs = emptyLogprobs()
      for (const token of tokens) {
        const shown = Buffer.from(token.bytes).toString()
        const placed = isAdded(shown) ? { start: offset, text: '' } : place(token.bytes)
        text += placed.text
        addToken(logprobs, token, { count, offset: Math.min(placed.start, echo?.length ?? placed.start) })
      }
      return { text, logprobs }
    },
    content(tokens: readonly ContentLogprob[]): LegacyLogprobs {
      if (!isAnswer) {
        offset = echo?.length ?? offset
        textOf = newDecoder()
        isAnswer = true
      }
      const written = tokens.map(contentLogprobJson)
      return {
        tokens: written.map(({ token }) => token),
        token_logprobs: written.map(({ logprob }) => logprob),
        top_logprobs: written.map(({ top_logprobs }) =>
          Object.fromEntries(top_logprobs.map(({ token, logprob }) => [token, logprob])),
        ),
        text_offset: tokens.map(({ bytes }) => place(bytes).start),
      }
    },
    /** The token that ended the answer: it has a position, but no text. */
    end(token: PromptToken): LegacyLogprobs {
      const logprobs = emptyLogprobs()
      addToken(logprobs, token, { count, offset: isAnswer ? offset : (echo?.length ?? offset) })
      return logprobs
    },
  }
}

type WholeChoice = {
  echo: string | null
  count: number
  prompt: readonly PromptToken[]
  tokens: readonly ContentLogprob[]
  endToken: PromptToken | undefined
}

/** The same of a whole choice. Each list is made when it is written, a token at a time. */
export const wholeLogprobs = ({ echo, count, prompt, tokens, endToken }: WholeChoice) => {
  const list = <Item>(pick: (logprobs: LegacyLogprobs) => readonly Item[], most: number) =>
    longList(function* () {
      const lists = createLegacyLogprobs(echo, most)
      for (const token of prompt) yield* pick(lists.prompt([token]).logprobs)
      for (const token of tokens) yield* pick(lists.content([token]))
      if (endToken !== undefined) yield* pick(lists.end(endToken))
    })
  return {
    tokens: list((one) => one.tokens, 0),
    token_logprobs: list((one) => one.token_logprobs, 0),
    top_logprobs: list((one) => one.top_logprobs, count),
    text_offset: list((one) => one.text_offset, 0),
  }
}

/** The text of a prompt's tokens, without a character that is incomplete at its end. */
export const promptText = (prompt: readonly PromptToken[]): string =>
  newDecoder()(Buffer.concat(prompt.map(({ bytes }) => bytes)))

const emptyLogprobs = (): LegacyLogprobs => ({ tokens: [], token_logprobs: [], top_logprobs: [], text_offset: [] })

const newDecoder = (): ((bytes: Uint8Array) => string) => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return (bytes) => decoder.decode(bytes, { stream: true })
}

/** JSON has no minus infinity. */
const least = -9999
const finite = (logprob: number): number => Math.max(least, logprob)

type Place = { offset: number /** How many of the most likely tokens to list. */; count: number }

const addToken = (to: LegacyLogprobs, { bytes, logprob }: PromptToken, { offset, count }: Place): void => {
  const token = Buffer.from(bytes).toString()
  to.tokens.push(token)
  to.token_logprobs.push(logprob === null ? null : finite(logprob.logprob))
  to.top_logprobs.push(logprob === null ? null : topLogprobs(token, logprob, count))
  to.text_offset.push(offset)
}

/** The most likely tokens, and the token itself if it is not one of them. Of several with the same text the likeliest. */
const topLogprobs = (token: string, { logprob, top }: TokenLogprob, count: number): Record<string, number> => {
  const byText = new Map<string, number>()
  const add = (text: string, value: number): void => {
    if (!byText.has(text)) byText.set(text, finite(value))
  }
  for (const likely of top.slice(0, count)) add(Buffer.from(likely.bytes).toString(), likely.logprob)
  add(token, logprob)
  return Object.fromEntries(byText)
}

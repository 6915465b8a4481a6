import type { TokenLogprob } from '../../../engine/contract.ts'
import { type ContentLogprob, createContentLogprobs } from './content-logprobs.ts'
import { createEmittedTokenCounter, type EmittedCounts } from './emitted-token-counter.ts'
import { createSegments, type Segment } from './segments.ts'
import { createStopScanner } from './stop-scanner.ts'

/** A piece of an answer as its reader sees it. `told` counts all tokens of the answer that are wholly told with it. */
export type OutputPiece = { emitted: EmittedCounts } & (
  | { type: 'content'; text: string; tokens: ContentLogprob[] }
  | { type: 'reasoning'; text: string }
  /** Calls are counted from 0. */
  | { type: 'call'; index: number; id: string; name: string }
  | { type: 'arguments'; index: number; text: string }
)

type Token = { bytes: Uint8Array; logprob?: TokenLogprob }

/**
 * Turns the tokens of an answer into what may be sent: whole characters only, nothing of a stop text, calls and thoughts
 * told apart from speech. However the same bytes are cut into tokens, the joined result is the same.
 */
export interface OutputParser {
  push(token: Token): { pieces: OutputPiece[]; stopped: boolean }
  /**
   * The answer has ended by itself: what was held back. Half a character is dropped, not shown as U+FFFD. A stop text may
   * be found in what was held back.
   */
  flush(): { pieces: OutputPiece[]; stopped: boolean }
  /** How many calls were begun. */
  readonly calls: number
  /** How many tokens gave something of a thought. */
  readonly reasoningTokens: number
}

type OutputParserOptions = {
  /** They end the answer where the model speaks; inside a call or a thought they are text like any other. */
  stops: readonly string[]
  /** The most calls; 0: what looks like a call is text. */
  mostCalls: number
  reasoning: boolean
  logprobs: boolean
  newCallId(): string
}

export const createOutputParser = (options: OutputParserOptions): OutputParser => {
  const { stops, mostCalls, reasoning, logprobs } = options
  const segments = createSegments({ calls: mostCalls > 0, reasoning })
  const scanner = stops.length === 0 ? null : createStopScanner(stops)
  const contentLogprobs = logprobs ? createContentLogprobs() : null
  const ends = createEmittedTokenCounter()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let calls = 0
  let stopped = false
  /** How much of the text has come out of the segments. */
  let taken = 0

  /** Whatever was taken is out by now, or was dropped, or the scanner holds it. */
  const emittedNow = (): EmittedCounts => ends.within(taken - (scanner?.heldLength ?? 0))
  const decide = (source: string, isContent: boolean): ContentLogprob[] =>
    contentLogprobs?.decide(source, isContent) ?? []
  const content = (pieces: OutputPiece[], text: string): void => {
    const tokens = decide(text, true)
    if (text !== '' || tokens.length > 0) pieces.push({ type: 'content', text, tokens, emitted: emittedNow() })
  }
  const drop = (pieces: OutputPiece[], source: string): void => {
    const tokens = decide(source, false)
    if (tokens.length > 0) pieces.push({ type: 'content', text: '', tokens, emitted: emittedNow() })
  }
  const speak = (pieces: OutputPiece[], source: string): void => {
    const scanned = scanner?.push(source) ?? { text: source, stopped: false }
    content(pieces, scanned.text)
    stopped = scanned.stopped
  }
  const releaseHeld = (pieces: OutputPiece[]): void => {
    if (scanner !== null) content(pieces, scanner.flush())
  }
  const take = (pieces: OutputPiece[], segment: Segment): void => {
    const { type, source } = segment
    if (type === 'content') {
      taken += source.length
      speak(pieces, source)
      return
    }
    // What follows is no speech, so what was held back cannot become a stop text any more.
    releaseHeld(pieces)
    drop(pieces, source)
    taken += source.length
    if (type === 'reasoning') {
      ends.markReasoning()
      pieces.push({ type, text: source, emitted: emittedNow() })
    }
    if (type === 'arguments') pieces.push({ type, index: calls - 1, text: source, emitted: emittedNow() })
    if (type === 'call') {
      pieces.push({ type, index: calls, id: options.newCallId(), name: segment.name, emitted: emittedNow() })
      calls += 1
    }
    if (type === 'called' && calls >= mostCalls) stopped = true
  }
  const takeAll = (pieces: OutputPiece[], found: readonly Segment[]): void => {
    for (const segment of found) {
      if (stopped) break
      take(pieces, segment)
    }
  }
  const lastTokens = (pieces: OutputPiece[]): void => {
    const tokens = contentLogprobs?.rest() ?? []
    if (tokens.length > 0) pieces.push({ type: 'content', text: '', tokens, emitted: emittedNow() })
  }
  const textOf = ({ bytes, logprob }: Token): string =>
    contentLogprobs === null || logprob === undefined
      ? decoder.decode(bytes, { stream: true })
      : contentLogprobs.push({ bytes, logprob })

  return {
    push(token) {
      const pieces: OutputPiece[] = []
      const text = textOf(token)
      ends.push(token.bytes, text.length)
      takeAll(pieces, segments.push(text))
      if (stopped) lastTokens(pieces)
      return { pieces, stopped }
    },
    flush() {
      const pieces: OutputPiece[] = []
      if (stopped) return { pieces, stopped }
      const rest = contentLogprobs?.flush() ?? ''
      if (rest !== '') takeAll(pieces, segments.push(rest))
      if (!stopped) takeAll(pieces, segments.flush())
      if (!stopped) releaseHeld(pieces)
      lastTokens(pieces)
      return { pieces, stopped }
    },
    get calls() {
      return calls
    },
    get reasoningTokens() {
      return ends.reasoningTokens
    },
  }
}

import type { ParsedEvent, TextPieces, TokenLogprob } from '../../../engine/contract.ts'
import type { AnswerPart } from '../answer/answer-part.ts'
import { type ContentLogprob, createContentLogprobs } from './content-logprobs.ts'
import { type EmittedCounts, EmittedTokenCounter } from './emitted-token-counter.ts'
import { createSegments } from './segments.ts'
import { createStopScanner } from './stop-scanner.ts'
import type { Segment } from './tool-call-parser.ts'

/** A part of a choice that can be sent. `emitted` counts the tokens that are emitted completely once it is sent. */
export type OutputPiece = { emitted: EmittedCounts } & AnswerPart

type Token = { bytes: Uint8Array; logprob?: TokenLogprob }
/** `stopped`: a stop sequence, or the last call that is allowed, ends the choice. */
type Output = { pieces: OutputPiece[]; stopped: boolean }

type OutputParserOptions = {
  /** Stop sequences end a choice only within content: in calls and reasoning they are ordinary text. */
  stops: readonly string[]
  /** If 0, text that looks like a call is content. */
  maxCalls: number
  reasoning: boolean
  logprobs: boolean
  /** At the end of an answer, tokens of an incomplete character are reported, too, although it is dropped. */
  keepsTokens?: boolean
  newCallId(): string
}

/**
 * Turns the tokens of a choice into pieces that can be sent: only complete characters, nothing of a stop sequence, calls and
 * reasoning separate from content. The joined pieces do not depend on how the bytes are divided into tokens.
 */
export class OutputParser {
  readonly #options: OutputParserOptions
  readonly #segments: ReturnType<typeof createSegments>
  readonly #scanner: ReturnType<typeof createStopScanner> | null
  readonly #logprobs: ReturnType<typeof createContentLogprobs> | null
  readonly #counter = new EmittedTokenCounter()
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #pieces: OutputPiece[] = []
  #calls = 0
  #isStopped = false
  /** The length of the text that has been divided into segments. */
  #segmentedLength = 0

  constructor(options: OutputParserOptions) {
    const { stops, maxCalls, reasoning, logprobs } = options
    this.#options = options
    this.#segments = createSegments({ calls: maxCalls > 0, reasoning })
    this.#scanner = stops.length === 0 ? null : createStopScanner(stops)
    this.#logprobs = logprobs ? createContentLogprobs() : null
  }

  /** How many calls have begun. */
  get calls(): number {
    return this.#calls
  }

  /** The stop sequence that ended the choice, if one did. */
  get stopText(): string | null {
    return this.#scanner?.found ?? null
  }

  /** How many tokens contain reasoning. */
  get reasoningTokens(): number {
    return this.#counter.reasoningTokens
  }

  push(token: Token): Output {
    const text = this.#decode(token)
    this.#counter.push(token.bytes, text.length)
    this.#readAll(this.#segments.push(text))
    if (this.#isStopped) this.#addContent('', this.#logprobs?.rest())
    return this.#output()
  }

  /** A part that the engine has parsed itself; its text may still contain reasoning and stop sequences. */
  pushParsed(event: ParsedEvent): Output {
    if (event.type === 'text') {
      this.#counter.pushText(event.text.length)
      this.#readAll(this.#segments.push(event.text))
      return this.#output()
    }
    this.#readAll(this.#segments.flush())
    if (!this.#isStopped) this.#addParsed(event)
    return this.#output()
  }

  /** A text in several pieces, see `TextPieces`. Not with stop sequences, calls or log probabilities. */
  pushPieces(text: string, pieces: TextPieces): Output {
    if (!this.#segments.isPlain() || !this.#counter.pushEmitted(text.length, pieces.length)) {
      for (const piece of pieces) {
        this.#counter.pushText(piece.length)
        this.#readAll(this.#segments.push(piece))
      }
      return this.#output()
    }
    this.#segmentedLength += text.length
    this.#pieces.push({ type: 'content', text, tokens: [], pieces, emitted: this.#emitted() })
    return this.#output()
  }

  /**
   * The model has ended: parses what was held back, in which a stop sequence may be found. An incomplete character is
   * dropped, not replaced by U+FFFD.
   */
  flush(): Output {
    if (this.#isStopped) return this.#output()
    const rest = this.#logprobs?.flush() ?? ''
    if (rest !== '') this.#readAll(this.#segments.push(rest))
    if (!this.#isStopped) this.#readAll(this.#segments.flush())
    if (!this.#isStopped) this.#releaseHeld()
    this.#addContent('', this.#logprobs?.rest(this.#options.keepsTokens))
    return this.#output()
  }

  #decode({ bytes, logprob }: Token): string {
    if (this.#logprobs === null || logprob === undefined) return this.#decoder.decode(bytes, { stream: true })
    return this.#logprobs.push({ bytes, logprob })
  }

  #readAll(segments: readonly Segment[]): void {
    for (const segment of segments) {
      if (this.#isStopped) return
      if (segment.type === 'content') this.#readContent(segment.source)
      else this.#readOther(segment)
    }
  }

  #readContent(source: string): void {
    this.#segmentedLength += source.length
    if (this.#scanner === null) {
      this.#addContent(source, this.#logprobs?.decide(source, true))
      return
    }
    const { text, stopped } = this.#scanner.push(source)
    this.#addContent(text, this.#logprobs?.decide(text, true))
    this.#isStopped = stopped
  }

  #readOther(segment: Segment): void {
    const { type, source } = segment
    // Content ends here, so what was held back cannot become a stop sequence any more.
    this.#releaseHeld()
    this.#addContent('', this.#logprobs?.decide(source, false))
    this.#segmentedLength += source.length
    if (type === 'reasoning') {
      this.#counter.markReasoning()
      this.#add({ type, text: source })
    } else if (type === 'arguments') this.#add({ type, index: this.#calls - 1, text: source })
    else if (type === 'call') {
      this.#add({ type, index: this.#calls, id: this.#options.newCallId(), name: segment.name })
      this.#calls += 1
    } else if (type === 'call-end') this.#isStopped = this.#calls >= this.#options.maxCalls
  }

  #addParsed(event: Exclude<ParsedEvent, { type: 'text' }>): void {
    this.#releaseHeld()
    if (event.type === 'item') {
      this.#add({ type: 'item', item: event.item })
      return
    }
    if (event.type === 'call') {
      this.#isStopped = this.#calls >= this.#options.maxCalls
      if (this.#isStopped) return
      this.#calls += 1
      this.#add({ type: 'call', index: event.index, id: event.id, name: event.name })
      return
    }
    this.#counter.pushText(event.text.length)
    this.#segmentedLength += event.text.length
    if (event.type === 'reasoning') this.#counter.markReasoning()
    this.#add(
      event.type === 'arguments'
        ? { type: 'arguments', index: event.index, text: event.text }
        : { type: event.type, text: event.text, ...signatureOf(event) },
    )
  }

  #releaseHeld(): void {
    if (this.#scanner === null) return
    const text = this.#scanner.flush()
    this.#addContent(text, this.#logprobs?.decide(text, true))
  }

  #addContent(text: string, tokens: ContentLogprob[] = []): void {
    // Nearly every piece: not added by copying, as the others are.
    if (text !== '' || tokens.length > 0) this.#pieces.push({ type: 'content', text, tokens, emitted: this.#emitted() })
  }

  #add(piece: AnswerPart): void {
    this.#pieces.push({ ...piece, emitted: this.#emitted() })
  }

  /** Whatever is not held back by the scanner is sent with the next piece, or was dropped. */
  #emitted(): EmittedCounts {
    return this.#counter.within(this.#segmentedLength - (this.#scanner?.heldLength ?? 0))
  }

  #output(): Output {
    const pieces = this.#pieces
    this.#pieces = []
    return { pieces, stopped: this.#isStopped }
  }
}

/** Nearly none has one. */
const signatureOf = (event: ParsedEvent): { signature?: string; isRedacted?: true } =>
  event.type === 'reasoning' && event.signature !== undefined
    ? { signature: event.signature, ...(event.isRedacted ? { isRedacted: true } : {}) }
    : {}

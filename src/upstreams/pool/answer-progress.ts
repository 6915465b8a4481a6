import type { Conversation, EngineEnd, EngineEvent, Sampling } from '../../engine/contract.ts'
import { createTokenEstimate, estimatePromptTokens } from '../../engine/remote/estimate-prompt.ts'
import { splitPieces, textsOf } from '../../engine/split-pieces.ts'
import { type ContinuationMode, maxInstructionTokens, type SentAnswer } from './continue-conversation.ts'
import { type ContinuedText, createContinuedText } from './continued-text.ts'

/** Longer answers are not kept for a continuation. */
const maxKeptCharacters = 1024 * 1024

/**
 * Follows one answer over all upstreams that write it: what was passed on so far, whether another upstream can honestly go
 * on from there, and the counts of the whole.
 */
export class AnswerProgress {
  readonly #conversation: Conversation
  readonly #maxTokens: number | null
  readonly #isContinuable: boolean
  #text = ''
  #reasoning = ''
  /** A tool call, a refusal or too much text was passed on. */
  #isFixed = false
  /** An item was passed on, whose text may be missing. */
  #hasItems = false
  /** Of the first attempt. */
  #accepted: { promptTokens: number; isCounted: boolean } | null = null
  #tokensBefore = 0
  #attempt = createAttempt(null, '')

  constructor(conversation: Conversation, sampling: Sampling) {
    this.#conversation = conversation
    this.#maxTokens = sampling.maxTokens
    this.#isContinuable =
      conversation.rawPrompt === undefined &&
      sampling.topLogprobs === null &&
      sampling.constraint === null &&
      (conversation.answer?.format ?? null) === null &&
      conversation.opening !== 'none'
  }

  /** Nothing was passed on except that an upstream accepted the prompt. */
  isEmpty(): boolean {
    return this.#text === '' && this.#reasoning === '' && !this.#isFixed && !this.#hasItems
  }

  /**
   * Another upstream can continue from here. Reasoning that breaks off cannot be continued, and an answer that has it in its
   * text may have broken off there.
   */
  canContinue(): boolean {
    const hasText = this.#text !== '' && !this.#text.trimStart().startsWith('<think>')
    return this.#isContinuable && !this.#isFixed && hasText
  }

  sent(): SentAnswer {
    return { text: this.#text, reasoning: this.#reasoning }
  }

  /** Tokens that were passed on. */
  tokens(): number {
    return this.#limited(this.#tokensBefore + Math.max(this.#attempt.pieces, this.#attempt.estimate.tokens()))
  }

  /** Begins with the next upstream; null: from the beginning. */
  startAttempt(continuation: ContinuationMode | null): void {
    this.#tokensBefore = this.tokens()
    this.#attempt = createAttempt(continuation, this.#text)
  }

  /** Adds what the present upstream's event adds to the answer. */
  pass(event: EngineEvent, passed: EngineEvent[]): void {
    if (event.type === 'accepted') {
      if (this.#accepted === null) passed.push(event)
      const isFirst = this.#attempt.mode === null && !this.#accepted?.isCounted
      if (isFirst) this.#accepted = { promptTokens: event.promptTokens, isCounted: event.isCounted === true }
    } else if (event.type === 'end') this.#end(event, passed)
    else if (this.#attempt.mode === null) this.#add(event, passed)
    else for (const one of splitPieces([event])) this.#passContinued(one, passed)
  }

  /** The end, if every allowed token was passed on and only the end is missing. */
  limitReached(): EngineEnd | null {
    if (!this.#isLimitReached()) return null
    const counts = {
      promptTokens: this.#firstPromptTokens(null, this.#attempt.mode),
      cachedTokens: 0,
      completionTokens: this.tokens(),
    }
    return { type: 'end', reason: 'length', ...counts, isEstimated: true }
  }

  #add(event: EngineEvent, passed: EngineEvent[]): void {
    const pieces = 'tokens' in event ? event.tokens : 1
    this.#attempt.pieces += typeof pieces === 'number' ? pieces : 1
    if ('text' in event) for (const text of textsOf(event)) this.#attempt.estimate.add(text)
    if (event.type === 'text') this.#text += event.text
    else if (event.type === 'reasoning') this.#reasoning += event.text
    else if (event.type === 'item') this.#hasItems = true
    else this.#isFixed = true
    if (this.#text.length + this.#reasoning.length > maxKeptCharacters) this.#isFixed = true
    passed.push(event)
  }

  #passContinued(event: EngineEvent, passed: EngineEvent[]): void {
    const attempt = this.#attempt
    // Reasoning about how to continue is no part of the answer.
    if (event.type === 'reasoning') attempt.droppedTokens += event.tokens ?? 1
    else if (event.type !== 'text' || attempt.continued === null) this.#add(event, passed)
    else {
      attempt.held.push({ length: event.text.length, tokens: event.tokens ?? 1 })
      this.#addHeld(attempt.continued.push(event.text), attempt.continued, passed)
    }
  }

  /** Passes on new text in the parts in which it arrived, up to the limit, and counts what was only repeated. */
  #addHeld(added: string, { repeatedLength }: ContinuedText, passed: EngineEvent[]): void {
    if (added === '') return
    const attempt = this.#attempt
    let at = 0
    for (const { length, tokens } of attempt.held) {
      attempt.decidedLength += length
      const newLength = Math.min(length, attempt.decidedLength - repeatedLength)
      if (newLength <= 0) attempt.droppedTokens += tokens
      else if (!this.#isLimitReached())
        this.#add({ type: 'text', text: added.slice(at, at + newLength), tokens }, passed)
      at += Math.max(0, newLength)
    }
    attempt.held = []
  }

  #end(event: EngineEnd, passed: EngineEvent[]): void {
    const attempt = this.#attempt
    if (attempt.continued !== null) this.#addHeld(attempt.continued.flush(), attempt.continued, passed)
    for (const { tokens } of attempt.held) attempt.droppedTokens += tokens
    passed.push(this.#wholeEnd(event))
  }

  /** With the counts of the whole answer instead of those of the last attempt. */
  #wholeEnd(end: EngineEnd): EngineEnd {
    const { mode, droppedTokens } = this.#attempt
    if (mode === null) return end
    const completionTokens = this.#limited(this.#tokensBefore + Math.max(0, end.completionTokens - droppedTokens))
    // The last upstream read what was sent before as a part of its prompt.
    const promptTokens = this.#firstPromptTokens(end.promptTokens - this.#tokensBefore, mode)
    const { reasoningTokens: _, ...rest } = end
    return {
      ...rest,
      promptTokens,
      cachedTokens: Math.min(end.cachedTokens, promptTokens),
      completionTokens,
      isEstimated: true,
    }
  }

  /** `left`: what the last upstream counted, without the text that was sent. */
  #firstPromptTokens(left: number | null, mode: ContinuationMode | null): number {
    const accepted = this.#accepted
    if (accepted?.isCounted) return accepted.promptTokens
    const { messages } = this.#conversation
    const max = mode === 'instructed' ? maxInstructionTokens : 0
    // Low, because it is billed. Every message has a token of its own and one around it.
    const low = Math.max(accepted?.promptTokens ?? 1, estimatePromptTokens(messages), 1 + messages.length)
    return left === null ? low : Math.max(low, left - max)
  }

  #limited(tokens: number): number {
    return this.#maxTokens === null ? tokens : Math.min(tokens, this.#maxTokens)
  }

  #isLimitReached(): boolean {
    return this.#maxTokens !== null && this.tokens() >= this.#maxTokens
  }
}

const noneHeld = (): { length: number; tokens: number }[] => []

const createAttempt = (mode: ContinuationMode | null, text: string) => ({
  mode,
  continued: mode === 'instructed' ? createContinuedText(text) : null,
  pieces: 0,
  estimate: createTokenEstimate(),
  /** Parts of the text that may be repetitions, or were since the last part that was passed on. */
  held: noneHeld(),
  decidedLength: 0,
  droppedTokens: 0,
})

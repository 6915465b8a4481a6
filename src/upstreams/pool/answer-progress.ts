import type { Conversation, EngineEnd, EngineEvent, Sampling } from '../../engine/contract.ts'
import { createTokenEstimate, estimatePromptTokens } from '../../engine/remote/estimate-prompt.ts'
import { type ContinuationMode, maxInstructionTokens, type SentAnswer } from './continue-conversation.ts'
import { type ContinuedText, createContinuedText } from './continued-text.ts'

/**
 * Follows one answer over all upstreams that write it: what was passed on so far, whether another upstream can honestly go
 * on from there, and the counts of the whole.
 */
export interface AnswerProgress {
  /** Nothing was passed on except that an upstream accepted the prompt. */
  isEmpty(): boolean
  /** Another upstream can continue from here. */
  canContinue(): boolean
  sent(): SentAnswer
  /** Tokens that were passed on. */
  tokens(): number
  /** Begins with the next upstream; null: from the beginning. */
  startAttempt(continuation: ContinuationMode | null): void
  /** Adds what the present upstream's event adds to the answer. */
  pass(event: EngineEvent, passed: EngineEvent[]): void
  /** The end, if every allowed token was passed on and only the end is missing. */
  limitReached(): EngineEnd | null
}

/** Longer answers are not kept for a continuation. */
const maxKeptCharacters = 1024 * 1024

export const createAnswerProgress = (conversation: Conversation, sampling: Sampling): AnswerProgress => {
  const isContinuable =
    conversation.rawPrompt === undefined &&
    sampling.topLogprobs === null &&
    sampling.constraint === null &&
    (conversation.answer?.format ?? null) === null &&
    conversation.opening !== 'none'
  const { maxTokens } = sampling
  let text = ''
  let reasoning = ''
  /** A tool call, a refusal or too much text was passed on. */
  let isFixed = false
  /** Of the first attempt. */
  let accepted: { promptTokens: number; isCounted: boolean } | null = null
  let tokensBefore = 0
  let attempt = createAttempt(null, '')

  const add = (event: EngineEvent, passed: EngineEvent[]): void => {
    const pieces = 'tokens' in event ? event.tokens : 1
    attempt.pieces += typeof pieces === 'number' ? pieces : 1
    if ('text' in event) attempt.estimate.add(event.text)
    if (event.type === 'text') text += event.text
    else if (event.type === 'reasoning') reasoning += event.text
    else isFixed = true
    if (text.length + reasoning.length > maxKeptCharacters) isFixed = true
    passed.push(event)
  }
  const limited = (tokens: number): number => (maxTokens === null ? tokens : Math.min(tokens, maxTokens))
  const passedTokens = (): number => limited(tokensBefore + Math.max(attempt.pieces, attempt.estimate.tokens()))

  const wholeEnd = (end: EngineEnd): EngineEnd => {
    const { mode, droppedTokens } = attempt
    if (mode === null) return end
    const completionTokens = limited(tokensBefore + Math.max(0, end.completionTokens - droppedTokens))
    // The last upstream read what was sent before as a part of its prompt.
    const promptTokens = firstPromptTokens(end.promptTokens - tokensBefore, mode)
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
  const firstPromptTokens = (left: number | null, mode: ContinuationMode | null): number => {
    if (accepted?.isCounted) return accepted.promptTokens
    const max = mode === 'instructed' ? maxInstructionTokens : 0
    // Low, because it is billed. Every message has a token of its own and one around it.
    const low = Math.max(
      accepted?.promptTokens ?? 1,
      estimatePromptTokens(conversation.messages),
      1 + conversation.messages.length,
    )
    return left === null ? low : Math.max(low, left - max)
  }
  const passContinued = (event: EngineEvent, passed: EngineEvent[]): void => {
    // Reasoning about how to continue is no part of the answer.
    if (event.type === 'reasoning') attempt.droppedTokens += event.tokens ?? 1
    else if (event.type !== 'text' || attempt.continued === null) add(event, passed)
    else {
      attempt.held.push({ length: event.text.length, tokens: event.tokens ?? 1 })
      addHeld(attempt.continued.push(event.text), attempt.continued, passed)
    }
  }
  /** Passes on new text in the parts in which it arrived, up to the limit, and counts what was only repeated. */
  const addHeld = (added: string, { repeatedLength }: ContinuedText, passed: EngineEvent[]): void => {
    if (added === '') return
    let at = 0
    for (const { length, tokens } of attempt.held) {
      attempt.decidedLength += length
      const newLength = Math.min(length, attempt.decidedLength - repeatedLength)
      if (newLength <= 0) attempt.droppedTokens += tokens
      else if (!isLimitReached()) add({ type: 'text', text: added.slice(at, at + newLength), tokens }, passed)
      at += Math.max(0, newLength)
    }
    attempt.held = []
  }
  const isLimitReached = (): boolean => maxTokens !== null && passedTokens() >= maxTokens
  const end = (event: EngineEnd, passed: EngineEvent[]): void => {
    const { continued } = attempt
    if (continued !== null) addHeld(continued.flush(), continued, passed)
    for (const { tokens } of attempt.held) attempt.droppedTokens += tokens
    passed.push(wholeEnd(event))
  }
  return {
    isEmpty: () => text === '' && reasoning === '' && !isFixed,
    // Reasoning that breaks off cannot be continued, and an answer that has one in its text may have.
    canContinue: () => isContinuable && !isFixed && text !== '' && !text.trimStart().startsWith('<think>'),
    sent: () => ({ text, reasoning }),
    tokens: passedTokens,
    startAttempt(mode) {
      tokensBefore = passedTokens()
      attempt = createAttempt(mode, text)
    },
    pass(event, passed) {
      if (event.type === 'accepted') {
        if (accepted === null) passed.push(event)
        const isFirst = attempt.mode === null && !accepted?.isCounted
        if (isFirst) accepted = { promptTokens: event.promptTokens, isCounted: event.isCounted === true }
      } else if (event.type === 'end') end(event, passed)
      else if (attempt.mode === null) add(event, passed)
      else passContinued(event, passed)
    },
    limitReached() {
      if (!isLimitReached()) return null
      const counts = {
        promptTokens: firstPromptTokens(null, attempt.mode),
        cachedTokens: 0,
        completionTokens: passedTokens(),
      }
      return { type: 'end', reason: 'length', ...counts, isEstimated: true }
    },
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

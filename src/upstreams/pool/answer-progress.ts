import type { Conversation, EngineEnd, EngineEvent, Sampling } from '../../engine/contract.ts'
import { createTokenEstimate } from '../../engine/remote/estimate-prompt.ts'
import { type ContinuationMode, instructionTokens, type SentAnswer } from './continue-conversation.ts'
import { createContinuedText } from './continued-text.ts'

/**
 * Follows one answer over all upstreams that write it: what was passed on so far, whether another upstream can honestly go
 * on from there, and the counts of the whole.
 */
export interface AnswerProgress {
  /** Nothing was passed on except that an upstream accepted the prompt. */
  readonly isEmpty: boolean
  /** Another upstream can continue from here. */
  canContinue(): boolean
  readonly sent: SentAnswer
  /** Tokens that were passed on. */
  readonly tokens: number
  /** Begins with the next upstream; null: from the beginning. */
  startAttempt(continuation: ContinuationMode | null): void
  /** What the present upstream's event adds to the answer; null if nothing. */
  pass(event: EngineEvent): EngineEvent | null
  /** Text that was held back because it might have been a repetition; null if there is none. */
  flush(): EngineEvent | null
  /** The end if every allowed token was passed on and only the end is missing. */
  readonly limitReached: EngineEnd | null
}

/** Longer answers are not kept for a continuation. */
const mostKeptCharacters = 1024 * 1024

export const createAnswerProgress = (conversation: Conversation, sampling: Sampling): AnswerProgress => {
  const isContinuable =
    sampling.topLogprobs === null &&
    sampling.constraint === null &&
    (conversation.answer?.format ?? null) === null &&
    conversation.opening !== 'none'
  const { maxTokens } = sampling
  let text = ''
  let reasoning = ''
  /** A tool call, a refusal or too much text was passed on. */
  let isFixed = false
  let acceptedPromptTokens: number | null = null
  let tokensBefore = 0
  let attempt = startOf(null, '')

  const add = (event: EngineEvent): EngineEvent => {
    attempt.pieces += 'tokens' in event ? (event.tokens ?? 1) : 1
    if ('text' in event) attempt.estimate.add(event.text)
    if (event.type === 'text') text += event.text
    else if (event.type === 'reasoning') reasoning += event.text
    else isFixed = true
    if (text.length + reasoning.length > mostKeptCharacters) isFixed = true
    return event
  }
  const limited = (tokens: number): number => (maxTokens === null ? tokens : Math.min(tokens, maxTokens))
  const passedTokens = (): number => limited(tokensBefore + Math.max(attempt.pieces, attempt.estimate.tokens()))

  const endOf = (end: EngineEnd): EngineEnd => {
    const { mode, textLength, continued, droppedTokens } = attempt
    if (mode === null) return end
    const repeatedShare = textLength === 0 ? 0 : (continued?.repeatedLength ?? 0) / textLength
    const ownTokens = Math.max(0, end.completionTokens - droppedTokens)
    const completionTokens = limited(tokensBefore + Math.round(ownTokens * (1 - repeatedShare)))
    // The last upstream read what was sent before as a part of its prompt.
    const added = tokensBefore + (mode === 'instructed' ? instructionTokens : 0)
    const promptTokens = Math.max(acceptedPromptTokens ?? 1, end.promptTokens - added)
    const { reasoningTokens: _, ...rest } = end
    return {
      ...rest,
      promptTokens,
      cachedTokens: Math.min(end.cachedTokens, promptTokens),
      completionTokens,
      isEstimated: true,
    }
  }
  const passContinued = (event: EngineEvent): EngineEvent | null => {
    // Reasoning about how to continue is no part of the answer.
    if (event.type === 'reasoning') {
      attempt.droppedTokens += event.tokens ?? 1
      return null
    }
    if (event.type !== 'text' || attempt.continued === null) return add(event)
    attempt.textLength += event.text.length
    const added = attempt.continued.push(event.text)
    return added === '' ? null : add({ ...event, text: added })
  }
  return {
    get isEmpty() {
      return text === '' && reasoning === '' && !isFixed
    },
    // Reasoning that breaks off cannot be continued, and an answer that has one in its text may have.
    canContinue: () => isContinuable && !isFixed && text !== '' && !text.trimStart().startsWith('<think>'),
    get sent() {
      return { text, reasoning }
    },
    get tokens() {
      return passedTokens()
    },
    startAttempt(mode) {
      tokensBefore = passedTokens()
      attempt = startOf(mode, text)
    },
    pass(event) {
      if (event.type === 'accepted') {
        if (acceptedPromptTokens !== null) return null
        acceptedPromptTokens = event.promptTokens
        return event
      }
      if (event.type === 'end') return endOf(event)
      return attempt.mode === null ? add(event) : passContinued(event)
    },
    flush() {
      const rest = attempt.continued?.flush() ?? ''
      return rest === '' ? null : add({ type: 'text', text: rest })
    },
    get limitReached(): EngineEnd | null {
      const tokens = passedTokens()
      if (maxTokens === null || tokens < maxTokens) return null
      const counts = { promptTokens: acceptedPromptTokens ?? 1, cachedTokens: 0, completionTokens: tokens }
      return { type: 'end', reason: 'length', ...counts, isEstimated: true }
    },
  }
}

const startOf = (mode: ContinuationMode | null, text: string) => ({
  mode,
  continued: mode === 'instructed' ? createContinuedText(text) : null,
  pieces: 0,
  estimate: createTokenEstimate(),
  /** Of all text that the upstream sent, repetitions included. */
  textLength: 0,
  droppedTokens: 0,
})

import type { SampledAnswer } from '../answer.ts'
import type { Slice } from '../llama/native-batch.ts'
import type { PlannedSlice, Reading } from './batch-planner.ts'
import type { HeldSequence } from './choose-cached-sequence.ts'
import type { DraftPolicy } from './draft-policy.ts'
import type { PromptScorer } from './prompt-scorer.ts'

export type DecodeRequest = {
  id: number
  prompt: readonly number[]
  answer: SampledAnswer
  /** The organisation: only prompts with the same scope share cached content, and scopes share the steps. */
  scope: string
  /** Only if the log probabilities of the prompt are wanted. */
  scorer?: PromptScorer
}

export type Held = HeldSequence & {
  tokens: number[]
  /** A copy of the logits after the prompt, in case the same prompt is sent again. */
  logits: Float32Array | null
}

export type Running = DecodeRequest & {
  held: Held
  cachedTokens: number
  completionTokens: number
  /** Sampled but not read yet; null while the prompt is being read or the search for a token is paused. */
  nextToken: number | null
  /** The search for its next token is paused: it has nothing to read yet. */
  isSearching: boolean
  drafts: DraftPolicy
  behind: Behind | null
}

/**
 * An answer that was paused and lost its sequence: `tokens` are to be read again before it continues with its next token, or
 * with the search for it.
 */
type Behind = { tokens: readonly number[]; nextToken: number | null; isSearching: boolean }

/** What a step reads for one request. */
export type Part = { one: Running; slice: Slice }

/**
 * How many tokens of an answer are read again at a time. Below `blockTokens`, the results equal those of single tokens; larger
 * slices are no faster.
 */
const repeatedTokens = 16

/** Whether only tokens of the answer itself are left to be read again. */
const isRepeating = ({ behind, held, prompt }: Running): boolean =>
  behind !== null && held.tokens.length >= prompt.length

/** Whether all of its prompt is in memory and nothing has been sampled yet. */
export const isUnsampled = ({ behind, held, prompt, nextToken, isSearching }: Running): boolean =>
  behind === null && nextToken === null && !isSearching && held.tokens.length === prompt.length

/** Copies the logits after the prompt, in case it is sent again: the next step overwrites them. */
export const keepLogits = (held: Held, logits: Float32Array): void => {
  held.logits = logits.slice()
  held.logitsAfter = held.tokens.length
}

/** An answer that was read again continues once all of its tokens have been read. */
export const catchUp = (one: Running): void => {
  if (one.behind === null || one.held.tokens.length < one.behind.tokens.length) return
  one.nextToken = one.behind.nextToken
  one.isSearching = one.behind.isSearching
  one.behind = null
}

/** The prompts that are being read, for `planBatch`. */
export const readingPrompts = (running: readonly Running[]): Reading[] => {
  const reading = running.filter((one) => one.nextToken === null && !one.isSearching && !isRepeating(one))
  const inFlight = (scope: string) => running.filter((one) => one.scope === scope).length
  return reading.map(({ held, scope, prompt, scorer }) => ({
    sequence: held.sequence,
    promptTokens: prompt.length,
    readTokens: held.tokens.length,
    inFlight: inFlight(scope),
    isScored: scorer !== undefined,
  }))
}

/** The next token of every answer that has one, then the planned slices of prompts. */
export function* stepParts(running: readonly Running[], planned: readonly PlannedSlice[]): Generator<Part> {
  const bySequence = new Map(running.map((one) => [one.held.sequence, one]))
  for (const one of running) {
    const { held, nextToken, behind } = one
    if (behind !== null && isRepeating(one)) {
      const position = held.tokens.length
      const tokens = behind.tokens.slice(position, position + repeatedTokens)
      yield { one, slice: { sequence: held.sequence, position, tokens, isSampled: false } }
    }
    if (nextToken === null) continue
    yield {
      one,
      slice: { sequence: held.sequence, position: held.tokens.length, tokens: [nextToken], isSampled: true },
    }
  }
  for (const { sequence, from, tokens, isLast } of planned) {
    const one = bySequence.get(sequence)
    if (one)
      yield {
        one,
        slice: {
          sequence,
          position: from,
          tokens: one.prompt.slice(from, from + tokens),
          isSampled: isLast && one.behind === null,
          ...(one.scorer?.needs(from + tokens) ? { isScored: true } : {}),
        },
      }
  }
}

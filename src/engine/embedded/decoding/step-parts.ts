import type { Answer } from '../answer.ts'
import type { Slice } from '../llama/native-batch.ts'
import type { PlannedSlice } from './batch-planner.ts'
import type { HeldSequence } from './choose-cached-sequence.ts'
import type { DraftPolicy } from './draft-policy.ts'

export type DecodeRequest = {
  id: number
  prompt: readonly number[]
  answer: Answer
  /** The organisation: only prompts with the same scope share cached content, and scopes share the steps. */
  scope: string
}

export type Held = HeldSequence & { tokens: number[] }

export type Running = DecodeRequest & {
  held: Held
  cachedTokens: number
  completionTokens: number
  /** Sampled but not read yet; null while the prompt is being read or the search for a token is paused. */
  nextToken: number | null
  /** The search for its next token is paused: it has nothing to read yet. */
  isSearching: boolean
  drafts: DraftPolicy
}

/** What a step reads for one request. */
export type Part = { one: Running; slice: Slice }

/** The next token of every answer that has one, then the planned slices of prompts. */
export function* stepParts(running: readonly Running[], planned: readonly PlannedSlice[]): Generator<Part> {
  const bySequence = new Map(running.map((one) => [one.held.sequence, one]))
  for (const one of running) {
    const { held, nextToken } = one
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
        slice: { sequence, position: from, tokens: one.prompt.slice(from, from + tokens), isSampled: isLast },
      }
  }
}

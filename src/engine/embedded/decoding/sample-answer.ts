import type { AnswerStep } from '../answer.ts'
import type { Slice } from '../llama/native-batch.ts'
import type { Running } from './step-parts.ts'

/** A token of an answer, its end, or both. */
export type SampledStep = { type: 'step'; id: number; step: AnswerStep; cachedTokens: number; completionTokens: number }

/**
 * One token, and after it as many as the draft predicted: each is sampled as it would be without a draft. Returns the
 * number of tokens of the draft that were not used.
 */
export function* sampleAnswer(
  one: Running,
  slice: Pick<Slice, 'tokens' | 'isDraft'>,
  logits: (token?: number) => Float32Array,
): Generator<SampledStep, number> {
  const draft = slice.isDraft ? slice.tokens.slice(1) : []
  let accepted = 0
  for (let isPredicted = true; isPredicted; ) {
    const step = one.answer.next(slice.isDraft ? logits(accepted) : logits())
    yield* accept(one, step)
    const isOpen = step !== 'paused' && step.end === null
    isPredicted = isOpen && accepted < draft.length && one.nextToken === draft[accepted]
    if (isPredicted) accepted += 1
  }
  one.drafts.observe({ drafted: draft.length, accepted })
  return draft.length - accepted
}

/** Continues the paused search for the next token. */
export function* resumeAnswer(one: Running, checks: number): Generator<SampledStep, number> {
  yield* accept(one, one.answer.resume(checks))
  return 0
}

function* accept(one: Running, step: AnswerStep | 'paused'): Generator<SampledStep> {
  const { id, cachedTokens } = one
  one.isSearching = step === 'paused'
  one.nextToken = step === 'paused' ? null : (step.token?.id ?? null)
  if (step === 'paused') return
  if (step.token) one.completionTokens += 1
  yield { type: 'step', id, step, cachedTokens, completionTokens: one.completionTokens }
}

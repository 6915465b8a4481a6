import type { FullSampling } from '../../sampling.ts'

/** Applies the bias and penalties of one answer. */
export interface LogitAdjustment {
  /** Changes the logits in place and returns a function that restores them. */
  apply(logits: Float32Array): () => void
  /** Records that the token is now part of the answer. */
  accept(id: number): void
}

type Adjusting = Pick<FullSampling, 'logitBias' | 'repetitionPenalty' | 'frequencyPenalty' | 'presencePenalty'>

/** How far back the repetition penalty looks; llama.cpp's own default. */
const penaltyWindowTokens = 64

/** The repetition penalty also counts prompt tokens; the other two count answer tokens only. */
export const createLogitAdjustment = (sampling: Adjusting, prompt: readonly number[]): LogitAdjustment => {
  const { repetitionPenalty, frequencyPenalty, presencePenalty } = sampling
  const bias = new Map(sampling.logitBias)
  const counts = new Map<number, number>()
  const recent = repetitionPenalty === 1 ? [] : prompt.slice(-penaltyWindowTokens)
  const countsAnswer = frequencyPenalty !== 0 || presencePenalty !== 0
  const repeated = (logit: number): number => (logit > 0 ? logit / repetitionPenalty : logit * repetitionPenalty)
  return {
    apply(logits) {
      const changed: { ids: number[]; logits: number[] } = { ids: [], logits: [] }
      const change = (id: number, to: (logit: number) => number): void => {
        const logit = logits[id]
        if (logit === undefined) return
        changed.ids.push(id)
        changed.logits.push(logit)
        logits[id] = to(logit)
      }
      for (const [id, added] of bias) change(id, (logit) => logit + added)
      for (const id of new Set(recent)) change(id, repeated)
      for (const [id, count] of counts) change(id, (logit) => logit - count * frequencyPenalty - presencePenalty)
      return () => {
        // Backwards: a token can have been changed more than once.
        for (let index = changed.ids.length - 1; index >= 0; index -= 1)
          logits[changed.ids[index] ?? 0] = changed.logits[index] ?? 0
      }
    },
    accept(id) {
      if (countsAnswer) counts.set(id, (counts.get(id) ?? 0) + 1)
      if (repetitionPenalty === 1) return
      recent.push(id)
      if (recent.length > penaltyWindowTokens) recent.shift()
    },
  }
}

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
  const adjusted = (logit: number, id: number): number => {
    const biased = logit + (bias.get(id) ?? 0)
    const repeated = !recent.includes(id)
      ? biased
      : biased > 0
        ? biased / repetitionPenalty
        : biased * repetitionPenalty
    const count = counts.get(id) ?? 0
    return repeated - count * frequencyPenalty - (count > 0 ? presencePenalty : 0)
  }
  return {
    apply(logits) {
      const before = new Map<number, number>()
      for (const id of new Set([...bias.keys(), ...recent, ...counts.keys()])) {
        const logit = logits[id]
        if (logit === undefined) continue
        before.set(id, logit)
        logits[id] = adjusted(logit, id)
      }
      return () => {
        for (const [id, logit] of before) logits[id] = logit
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

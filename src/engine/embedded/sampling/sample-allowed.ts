import type { Random } from './random.ts'
import { type Filters, sampleToken } from './sample-token.ts'

type AllowedOptions = {
  allows: (id: number) => boolean
  /** How often to sample; from the second time on without the tokens that are not allowed. */
  tries: number
}

/**
 * Samples and then checks that one token, which is far cheaper than checking tokens before: most are allowed. Without
 * filters this is exactly the distribution of the allowed tokens. Null: none of the sampled tokens is allowed.
 */
export const sampleAllowed = (
  logits: Float32Array,
  filters: Filters,
  { allows, tries }: AllowedOptions,
  random: Random,
): number | null => {
  const rejected: { id: number; logit: number }[] = []
  try {
    for (let tried = 0; tried < tries; tried += 1) {
      const id = sampleToken(logits, filters, random)
      if (id === null && tried === 0) throw new Error('the model computed no finite logit')
      if (id === null || allows(id)) return id
      rejected.push({ id, logit: logits[id] ?? 0 })
      logits[id] = Number.NEGATIVE_INFINITY
    }
    return null
  } finally {
    for (const { id, logit } of rejected) logits[id] = logit
  }
}

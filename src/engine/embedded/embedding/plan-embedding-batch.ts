/** A request with inputs that are not embedded yet. `lengths` are their token counts, in order. */
export type WaitingInputs = { id: number; lengths: readonly number[] }
/** The next inputs of a request, to embed in this step. */
export type PlannedInputs = { id: number; inputs: number }

type BatchLimits = {
  /** How many tokens keep the step within its time limit. A single input may exceed it. */
  targetTokens: number
  maxInputs: number
}

/**
 * Requests take turns, one input each, until the step is full, so that a short request does not wait for a long one. An
 * input is never divided: the vector of a text depends on all of it. The first input is always planned.
 */
export const planEmbeddingBatch = (
  waiting: readonly WaitingInputs[],
  { targetTokens, maxInputs }: BatchLimits,
): PlannedInputs[] => {
  const planned = new Map<number, number>()
  let [inputs, tokens] = [0, 0]
  let open = waiting
  while (open.length > 0) {
    open = open.filter(({ id, lengths }) => {
      const taken = planned.get(id) ?? 0
      const length = lengths[taken]
      const fits = inputs === 0 || (inputs < maxInputs && tokens + (length ?? 0) <= targetTokens)
      if (length === undefined || !fits) return false
      planned.set(id, taken + 1)
      inputs += 1
      tokens += length
      return true
    })
  }
  return Array.from(planned, ([id, count]) => ({ id, inputs: count }))
}

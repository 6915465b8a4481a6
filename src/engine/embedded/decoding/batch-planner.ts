/** A prompt that is being read into a sequence. */
export type Reading = {
  sequence: number
  promptTokens: number
  readTokens: number
  /** Number of requests of its organisation that are being read or answered, including this one. */
  inFlight: number
  /** The logits after each of its tokens are needed, which take memory: it is read a block or two at a time. */
  isScored?: boolean
}

export type PlannedSlice = {
  sequence: number
  /** Start position in the prompt. */
  from: number
  tokens: number
  /** The slice ends the prompt: the first answer token is sampled after it. */
  isLast: boolean
}

type BatchState = {
  /** Number of answers being generated; each uses one token of the batch. */
  generating: number
  /** In order of arrival. */
  reading: readonly Reading[]
  /** Number of the step. */
  step: number
  /** Number of prompt tokens that keeps the step within its time limit. */
  promptBudget: number
  /** Maximum number of tokens in a batch. */
  capacity: number
}

/**
 * From this many rows on, llama.cpp computes attention with another method, which is twice as fast per row and whose sums
 * differ. So a prompt is read in slices of at least this many tokens: its logits are the same regardless of other requests,
 * of the time that a step may take and of how much of the prompt is cached.
 */
export const blockTokens = 64
/** The end of a prompt is not split into less than a block, so a step must have room for it. */
const leastBudget = 2 * blockTokens
/** The logits of no more tokens than this are kept at a time. */
export const maxScoredTokens = leastBudget

/** Every so many steps the prompts are read in order of arrival, so that none is delayed for ever. */
export const arrivalOrderEvery = 6

/**
 * Chooses the prompt slices for the next batch, next to one token per answer: at least a block or two if there is room,
 * more if the budget allows. The organisation with the fewest requests in flight goes first, then the prompt with the
 * fewest tokens left: read one after the other, prompts get their first tokens earlier on average than side by side.
 */
export const planBatch = (state: BatchState): PlannedSlice[] => {
  const { generating, promptBudget, capacity } = state
  const room = Math.max(0, capacity - generating)
  let budget = Math.min(room, Math.max(leastBudget, promptBudget))
  return inOrder(state).flatMap(({ sequence, promptTokens, readTokens: from, isScored }) => {
    let at = from
    for (let more = nextTokens(at, promptTokens); more > 0 && more <= budget; more = nextTokens(at, promptTokens)) {
      at += more
      budget -= more
      if (isScored) break
    }
    return at > from ? [{ sequence, from, tokens: at - from, isLast: at === promptTokens }] : []
  })
}

const inOrder = ({ reading, step }: BatchState): readonly Reading[] => {
  if (step % arrivalOrderEvery === 0) return reading
  const left = ({ promptTokens, readTokens }: Reading) => promptTokens - readTokens
  return [...reading].sort((one, other) => one.inFlight - other.inFlight || left(one) - left(other))
}

/** How many tokens a slice can grow by: to the end of a block, or to the end if less than two blocks are left. */
const nextTokens = (at: number, end: number): number =>
  end - at < leastBudget ? end - at : blockTokens - (at % blockTokens)

/** Where the last slice of a prompt begins, if nothing of it is cached. */
export const lastSliceStart = (promptTokens: number): number =>
  Math.max(0, Math.floor(promptTokens / blockTokens) - 1) * blockTokens

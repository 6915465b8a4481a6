/** A prompt that is being read into a sequence. */
export type Reading = {
  sequence: number
  promptTokens: number
  readTokens: number
  /** Number of requests of its organisation that are being read or answered, including this one. */
  inFlight: number
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
 * From this many rows on, llama.cpp computes attention with another method whose sums differ slightly. Prompts are
 * split at multiples of it and the remainder is read separately, so a prompt gives the same logits regardless of other
 * requests and of how much of it is cached.
 */
export const blockTokens = 64

/** The first position of the remainder, which has at least one token. */
export const remainderStart = (promptTokens: number): number =>
  Math.floor((promptTokens - 1) / blockTokens) * blockTokens

/** Every so many steps the prompts are read in order of arrival, so that none is delayed for ever. */
export const arrivalOrderEvery = 6

/**
 * Chooses the prompt slices for the next batch, next to one token per answer: at least one block if there is room, more
 * if the budget allows. The organisation with the fewest requests in flight goes first, then the prompt with the fewest
 * tokens left: read one after the other, prompts get their first tokens earlier on average than side by side.
 */
export const planBatch = (state: BatchState): PlannedSlice[] => {
  const { generating, promptBudget, capacity } = state
  const room = Math.max(0, capacity - generating)
  let budget = Math.min(room, Math.max(blockTokens, promptBudget))
  return inOrder(state).flatMap((prompt) => {
    const { sequence, promptTokens, readTokens: from } = prompt
    let tokens = 0
    for (let more = nextTokens(prompt, 0); more > 0 && more <= budget; more = nextTokens(prompt, tokens)) {
      tokens += more
      budget -= more
    }
    return tokens === 0 ? [] : [{ sequence, from, tokens, isLast: from + tokens === promptTokens }]
  })
}

const inOrder = ({ reading, step }: BatchState): readonly Reading[] => {
  if (step % arrivalOrderEvery === 0) return reading
  const left = ({ promptTokens, readTokens }: Reading) => promptTokens - readTokens
  return [...reading].sort((one, other) => one.inFlight - other.inFlight || left(one) - left(other))
}

/** How many tokens a slice can grow by: a block, or the remainder if the slice starts with it. */
const nextTokens = ({ promptTokens, readTokens }: Reading, planned: number): number => {
  const at = readTokens + planned
  const boundary = remainderStart(promptTokens)
  if (at < boundary) return blockTokens - (at % blockTokens)
  if (planned > 0) return 0
  // A remainder as long as a block would be computed like a block.
  return Math.min(promptTokens - at, blockTokens - 1)
}

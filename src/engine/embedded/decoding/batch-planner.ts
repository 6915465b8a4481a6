/** A prompt that is being read into a sequence. */
export type Reading = { sequence: number; promptTokens: number; readTokens: number }

type PlannedSlice = {
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
  /** In service order: the longest-waiting prompt first. */
  reading: readonly Reading[]
  /** Number of prompt tokens that keeps the step within its time limit. */
  promptBudget: number
  /** Maximum number of tokens in a batch. */
  capacity: number
}

export type BatchPlan = {
  slices: PlannedSlice[]
  /** The sequences of `reading` in service order for the next step. */
  nextOrder: number[]
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

/**
 * Chooses the prompt slices for the next batch, next to one token per answer: at least one block if there is room, more
 * if the budget allows, one block per prompt in turn.
 */
export const planBatch = ({ generating, reading, promptBudget, capacity }: BatchState): BatchPlan => {
  const room = Math.max(0, capacity - generating)
  let budget = Math.min(room, Math.max(blockTokens, promptBudget))
  const planned = new Map<number, PlannedSlice>()
  for (let served = true; served; ) {
    served = false
    for (const prompt of reading) {
      const before = planned.get(prompt.sequence)
      const tokens = nextTokens(prompt, before?.tokens ?? 0)
      if (tokens === 0 || tokens > budget) continue
      const from = prompt.readTokens
      const sum = (before?.tokens ?? 0) + tokens
      planned.set(prompt.sequence, {
        sequence: prompt.sequence,
        from,
        tokens: sum,
        isLast: from + sum === prompt.promptTokens,
      })
      budget -= tokens
      served = true
    }
  }
  const unserved = reading.filter(({ sequence }) => !planned.has(sequence))
  const order = [...unserved.map(({ sequence }) => sequence), ...planned.keys()]
  return { slices: [...planned.values()], nextOrder: order }
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

/** A prompt that is being read into a sequence. */
export type Reading = { sequence: number; promptTokens: number; readTokens: number }

type PlannedSlice = {
  sequence: number
  /** Where in the prompt it begins. */
  from: number
  tokens: number
  /** It ends the prompt: the first token of the answer is sampled behind it. */
  isLast: boolean
}

type BatchState = {
  /** Answers that are being generated: each takes one token of the batch. */
  generating: number
  /** In the order in which they are served: the one that has waited longest first. */
  reading: readonly Reading[]
  /** How many tokens of prompts the step should hold, so that it takes no longer than it may. */
  promptBudget: number
  /** How many tokens a batch can hold. */
  capacity: number
}

export type BatchPlan = {
  slices: PlannedSlice[]
  /** The sequences of `reading` in the order in which the next step serves them. */
  nextOrder: number[]
}

/**
 * From so many rows on llama.cpp computes attention in another way, whose sums come out a little different. Prompts are cut at
 * multiples of it and their remainder is read apart, so that a prompt gives the same logits whatever else runs and however much
 * of it was read before.
 */
export const blockTokens = 64

/** The first position of the remainder, which has at least one token. */
export const remainderStart = (promptTokens: number): number =>
  Math.floor((promptTokens - 1) / blockTokens) * blockTokens

/**
 * What goes into the next batch beside one token of each answer: at least one block of a prompt where there is room, more as the
 * budget allows, one block to each prompt in turn.
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

/** How many tokens a slice can grow by: a block, or the remainder where it begins the slice. */
const nextTokens = ({ promptTokens, readTokens }: Reading, planned: number): number => {
  const at = readTokens + planned
  const boundary = remainderStart(promptTokens)
  if (at < boundary) return blockTokens - (at % blockTokens)
  if (planned > 0) return 0
  // A remainder of a whole block would be computed like one.
  return Math.min(promptTokens - at, blockTokens - 1)
}

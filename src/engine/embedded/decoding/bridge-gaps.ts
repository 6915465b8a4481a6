import type { Slice } from '../llama/native-batch.ts'

/**
 * llama.cpp computes single tokens of several sequences in one pass over the weights only if the numbers of the sequences
 * follow each other. Where a sequence in between has nothing to read, a token that is removed afterwards costs a fifth to
 * half of a further pass. For more sequences than this it costs about as much.
 */
const maxBridged = 3

/** The sequences that have to read a token, too, for all of these to be computed in as few passes as possible. */
export const bridgeGaps = (sequences: readonly number[], canBridge: (sequence: number) => boolean): number[] => {
  const sorted = sequences.toSorted((one, other) => one - other)
  return sorted.flatMap((sequence, index) => {
    const next = sorted[index + 1] ?? sequence
    const between = Array.from({ length: Math.max(0, next - sequence - 1) }, (_, offset) => sequence + 1 + offset)
    return between.length <= maxBridged && between.every(canBridge) ? between : []
  })
}

/** The extra tokens for a step with these slices. They have to be removed after it. */
export const bridgeSlices = (
  slices: readonly Slice[],
  heldTokens: (sequence: number) => number,
  contextTokens: number,
): Slice[] => {
  /** The position after what is in memory and what this step reads first. */
  const nextPosition = (sequence: number): number => {
    const read = slices.find((slice) => slice.sequence === sequence)
    return read ? read.position + read.tokens.length : heldTokens(sequence)
  }
  const singles = slices.filter(({ tokens }) => tokens.length === 1).map(({ sequence }) => sequence)
  const bridged = bridgeGaps(singles, (sequence) => nextPosition(sequence) < contextTokens)
  return bridged.map((sequence) => ({ sequence, position: nextPosition(sequence), tokens: [0], isSampled: false }))
}

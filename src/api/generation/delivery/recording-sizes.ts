/** How many bytes a token takes in recordings, by model: an upstream may send more for one than any model of ours. */
export interface RecordingSizes {
  /** The maximum among the last answers; 0 if none is known. */
  tokenBytes(model: string, stream: boolean): number
  /** An answer has ended. */
  add(model: string, stream: boolean, recorded: { bytes: number; tokens: number }): void
}

/** Enough that a few short answers do not hide the size of long ones. */
const rememberedAnswers = 32
/** In shorter answers the overhead around the tokens weighs too much. */
export const leastTokens = 8

export const createRecordingSizes = (): RecordingSizes => {
  const known = new Map<string, number[]>()
  const sizeName = (model: string, stream: boolean): string => `${stream} ${model}`
  return {
    tokenBytes: (model, stream) => Math.max(0, ...(known.get(sizeName(model, stream)) ?? [])),
    add(model, stream, { bytes, tokens }) {
      if (tokens < leastTokens) return
      const name = sizeName(model, stream)
      const sizes = known.get(name) ?? []
      sizes.push(Math.ceil(bytes / tokens))
      if (sizes.length > rememberedAnswers) sizes.shift()
      known.set(name, sizes)
    },
  }
}

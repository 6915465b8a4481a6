/** The tokens that are reserved for all choices of one answer together, each to be taken before it is emitted. */
export interface Allowance {
  /** Takes one token. False: there are none left and no more can be had. Answers at once where nothing has to be waited for. */
  take(): boolean | Promise<boolean>
}

type AllowanceOptions = {
  /** What is reserved from the beginning. */
  tokens: number
  /** How much to ask for at a time; null: there is no more. */
  extensionTokens: number | null
  /** Reserves more; resolves to how much, 0 where a limit allows nothing. */
  extend(tokens: number): Promise<number>
}

export const createAllowance = ({ tokens, extensionTokens, extend }: AllowanceOptions): Allowance => {
  let left = tokens
  let isFinal = extensionTokens === null
  /** Shared by the choices that run out at the same time. */
  let extending: Promise<void> | null = null

  const addMore = async (wanted: number): Promise<void> => {
    try {
      const added = await extend(wanted)
      left += added
      if (added === 0) isFinal = true
    } finally {
      extending = null
    }
  }
  const takeLater = async (wanted: number): Promise<boolean> => {
    while (left === 0) {
      if (isFinal) return false
      extending ??= addMore(wanted)
      await extending
    }
    left -= 1
    return true
  }
  return {
    take() {
      if (left > 0) {
        left -= 1
        return true
      }
      return extensionTokens !== null && !isFinal ? takeLater(extensionTokens) : false
    },
  }
}

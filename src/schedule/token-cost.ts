/** The cost of a request for the engine, in prompt tokens. */
export type TokenCounts = { promptTokens: number; cachedTokens: number; completionTokens: number }

/**
 * A completion token takes about as long as four prompt tokens: on two x64 cores helix-v1 reads 540 prompt tokens a second and
 * generates 145 tokens a second for four answers together. Cached prompt tokens are not read again (17 ms for 437 of them).
 */
const completionTokenCost = 4

export const tokenCost = ({ promptTokens, cachedTokens, completionTokens }: TokenCounts): number =>
  promptTokens - cachedTokens + completionTokenCost * completionTokens

export type RequestSize = {
  promptTokens: number
  /** Maximum tokens that all choices together may generate. */
  completionTokens: number
  choices: number
}

/** Predicts the length of an answer from recent ones, capped at its limit. */
export interface AnswerLengths {
  expectedCost(size: RequestSize): number
  learn(completionTokens: number, choices: number): void
}

/** Used before any answer has ended. */
const firstGuessTokens = 256
/** Weight of the newest answer in the moving average. */
const newestShare = 1 / 16

export const createAnswerLengths = (): AnswerLengths => {
  let averageTokens = firstGuessTokens
  return {
    expectedCost({ promptTokens, completionTokens, choices }) {
      const expected = Math.min(completionTokens, choices * averageTokens)
      return tokenCost({ promptTokens, cachedTokens: 0, completionTokens: expected })
    },
    learn(completionTokens, choices) {
      averageTokens += newestShare * (completionTokens / choices - averageTokens)
    },
  }
}

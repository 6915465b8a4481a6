/** Decides for one answer whether to draft tokens: only as long as enough of them are accepted. */
export interface DraftPolicy {
  shouldDraft(): boolean
  /** Reports a finished step; `drafted` is 0 if there was no draft. */
  observe(step: { drafted: number; accepted: number }): void
}

/**
 * llama.cpp's CPU kernels compute up to four rows at a time: a step with three drafted tokens takes about twice as long
 * as one with none, a step with four 2.6 times as long.
 */
export const draftTokens = 3
/** The share of drafted tokens that must be accepted to be worth their time. */
export const breakEvenShare = 0.4
/** Losses and gains in tokens, compared with break-even. Two drafts without success end the first attempt. */
const maxLost = 2 * draftTokens * breakEvenShare
const maxGained = 2 * maxLost
const firstPauseTokens = 64
const longestPauseTokens = 1024

export const createDraftPolicy = (): DraftPolicy => {
  let balance = 0
  let pauseTokens = firstPauseTokens
  let pausedTokens = 0
  return {
    shouldDraft: () => pausedTokens <= 0,
    observe({ drafted, accepted }) {
      if (pausedTokens > 0) {
        pausedTokens -= 1 + accepted
        return
      }
      balance = Math.min(maxGained, balance + accepted - drafted * breakEvenShare)
      if (balance > 0) pauseTokens = firstPauseTokens
      if (balance > -maxLost) return
      pausedTokens = pauseTokens
      pauseTokens = Math.min(longestPauseTokens, pauseTokens * 2)
      // After the pause, one draft without success is enough for the next.
      balance = draftTokens * breakEvenShare - maxLost
    },
  }
}

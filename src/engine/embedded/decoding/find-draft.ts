/** Shorter matches are mostly chance: with three tokens, stories became slower. */
const leastMatched = 4
/** Longer matches predict no better. */
const maxMatched = 16
/** How far back to look. A search takes about a nanosecond per token, a step of the model milliseconds. */
export const maxSearched = 32_768

/**
 * Predicts the next tokens of a text: those that followed the longest earlier match with its end, the most recent one of
 * several. Empty if nothing matches.
 */
export const findDraft = (text: readonly number[], draftTokens: number): number[] => {
  const last = text.length - 1
  const oldest = Math.max(leastMatched - 1, last - maxSearched)
  let [best, bestAt] = [leastMatched - 1, -1]
  for (let at = last - draftTokens; at >= oldest && best < maxMatched; at -= 1) {
    const matched = matchedTokens(text, at, last)
    if (matched > best) [best, bestAt] = [matched, at]
  }
  return bestAt < 0 ? [] : text.slice(bestAt + 1, bestAt + 1 + draftTokens)
}

/** How many tokens up to `one` equal those up to `other`. */
const matchedTokens = (text: readonly number[], one: number, other: number): number => {
  const max = Math.min(maxMatched, one + 1)
  let matched = 0
  while (matched < max && text[one - matched] === text[other - matched]) matched += 1
  return matched
}

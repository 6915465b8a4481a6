/** Search in a text that arrives in pieces. */

/** The length of the longest end of the text that is the beginning of one of the words. */
export const openEndLength = (text: string, words: readonly string[]): number => {
  let longest = 0
  for (const word of words) {
    for (let length = Math.min(word.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(word.slice(0, length))) {
        longest = length
        break
      }
    }
  }
  return longest
}

/** Where the word starts that is complete first, or the longest of those that end together; -1 if there is none. */
export const startOfFirstComplete = (text: string, words: readonly string[]): number => {
  let start = -1
  let end = Number.POSITIVE_INFINITY
  for (const word of words) {
    const index = text.indexOf(word)
    if (index === -1 || index + word.length > end || (index + word.length === end && index > start)) continue
    start = index
    end = index + word.length
  }
  return start
}

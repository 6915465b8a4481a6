/** Searching a text that arrives in pieces. */

/** Where the first of several words begins; -1: nowhere. */
export const firstPlace = (text: string, words: readonly string[]): number => {
  let first = -1
  for (const word of words) {
    const place = text.indexOf(word)
    if (place !== -1 && (first === -1 || place < first)) first = place
  }
  return first
}

/** The length of the longest end of the text that begins one of the words. */
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

/** Searching a text that arrives in pieces. */

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

/** Where the word begins that is complete first, the longest of those that end together; -1: none is there. */
export const startOfFirstComplete = (text: string, words: readonly string[]): number => {
  let start = -1
  let end = Number.POSITIVE_INFINITY
  for (const word of words) {
    const place = text.indexOf(word)
    if (place === -1 || place + word.length > end || (place + word.length === end && place > start)) continue
    start = place
    end = place + word.length
  }
  return start
}

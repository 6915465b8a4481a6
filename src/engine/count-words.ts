const isLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)

/**
 * How many words of a text begin with an ASCII letter behind a space, which is quick to count; not further than `max`. Every word
 * begins in a token of its own, or in one with another word: so the words of a text, and the most that a token of the vocabulary
 * has (`max-token-words.ts`), tell how many tokens the text has at least.
 */
export const countWords = (text: string, max = Number.POSITIVE_INFINITY): number => {
  let words = 0
  for (let space = text.indexOf(' '); space !== -1 && words < max; space = text.indexOf(' ', space + 1))
    if (isLetter(text.charCodeAt(space + 1))) words += 1
  return words
}

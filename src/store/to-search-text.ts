/** More of them after one character are no text, and take very long to put in order. */
const manyMarks = /(\p{M}{30})\p{M}+/gu

/** Forms of the same character, and upper and lower case, find each other; databases compare only what is the same. */
export const toSearchText = (text: string): string =>
  text
    .replaceAll(manyMarks, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

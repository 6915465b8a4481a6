/** Forms of the same character, and upper and lower case, find each other; databases compare only what is the same. */
export const toSearchText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

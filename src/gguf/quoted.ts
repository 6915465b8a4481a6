/** Text from a file, safe and short enough to print on one line. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 64).replace(/[\p{C}\u2028\u2029]/gu, '?'))

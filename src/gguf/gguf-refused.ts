/** The file cannot be used. The message continues a sentence that begins with its path: "is damaged: …". */
export class GgufRefused extends Error {
  override readonly name = 'GgufRefused'
}

/** Text from a file, safe and short enough to print on one line. */
export const quoted = (text: string): string => JSON.stringify(text.slice(0, 64).replace(/[\p{C}\u2028\u2029]/gu, '?'))

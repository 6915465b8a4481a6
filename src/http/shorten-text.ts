/** A string of a JSON document: from its opening quotation mark to its closing one. */
export type JsonString = { start: number; end: number }

const backslash = 0x5c
/** The longest escape, a pair of surrogates. */
const escapeBytes = 12
/** Looking for more would take as long as parsing them. */
const maxEscapes = 20_000

/**
 * Cuts off a string of a document that is longer than `maxBytes`, leaving at least that many bytes of text; null if
 * that cannot be done cheaply. An escape stands for at least one byte and takes at most six.
 */
export const shortenText = (document: Buffer, { start, end }: JsonString, maxBytes: number): Buffer | null => {
  const escapes = countEscapes(document.subarray(start, Math.min(end, start + 2 * maxBytes)))
  if (escapes > maxEscapes) return null
  let cut = start + maxBytes + 5 * escapes + escapeBytes
  // Neither within a character nor within an escape.
  while (((document[cut] ?? 0) & 0xc0) === 0x80) cut += 1
  if (cut >= Math.min(end, start + 2 * maxBytes)) return null
  if (document.subarray(cut - escapeBytes, cut).includes(backslash)) return null
  return Buffer.concat([document.subarray(0, cut), document.subarray(end)])
}

const countEscapes = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(backslash); at !== -1 && count <= maxEscapes; at = bytes.indexOf(backslash, at + 1))
    count += 1
  return count
}

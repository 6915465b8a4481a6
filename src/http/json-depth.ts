const quote = 0x22
const backslash = 0x5c
const openers: ReadonlySet<number | undefined> = new Set([0x5b, 0x7b])
const closers: ReadonlySet<number | undefined> = new Set([0x5d, 0x7d])

/**
 * Whether JSON is nested deeper than this, seen from its brackets before it is parsed: parsing four megabytes of brackets
 * takes more than a second, and later steps walk the value by calling themselves. Bytes that are not JSON may be counted
 * wrongly, but only behind the place where the parser stops.
 */
export const isNestedDeeper = (bytes: Uint8Array, limit: number): boolean => {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (openers.has(byte)) depth += 1
    else if (closers.has(byte)) depth -= 1
    if (depth > limit) return true
  }
  return false
}

const endOfString = (bytes: Uint8Array, start: number): number => {
  let at = start
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

const quote = 0x22
const backslash = 0x5c
const openArray = 0x5b
const openObject = 0x7b
const closeArray = 0x5d
const closeObject = 0x7d

/**
 * Whether JSON is nested deeper than this, judged by its brackets before it is parsed: parsing four megabytes of brackets
 * takes more than a second, and later steps are recursive. Bytes that are not JSON may be counted wrongly, but only after the
 * place where the parser stops.
 */
export const isNestedDeeper = (bytes: Uint8Array, limit: number): boolean => {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (byte === openArray || byte === openObject) {
      depth += 1
      if (depth > limit) return true
    } else if (byte === closeArray || byte === closeObject) depth -= 1
  }
  return false
}

/** Up to here a loop is faster than a native search, which only pays for long texts. */
const shortBytes = 32

/** The next quotation mark preceded by an even number of backslashes, or the number of bytes if there is none. */
export const endOfString = (bytes: Uint8Array, start: number): number => {
  const maxShort = Math.min(bytes.length, start + shortBytes)
  for (let at = start; at < maxShort; at += 1) {
    const byte = bytes[at]
    if (byte === quote) return at
    if (byte === backslash) at += 1
  }
  return endOfLongString(bytes, start)
}

const endOfLongString = (bytes: Uint8Array, start: number): number => {
  for (let at = bytes.indexOf(quote, start); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return bytes.length
}

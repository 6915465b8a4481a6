import fc from 'fast-check'

/** Cuts bytes into tokens at the given offsets, each modulo the length; repeated offsets give empty tokens. */
export const cutBytes = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const ends = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end))
}

/** Ways to cut, from no cuts to several in every word. */
export const anyCuts = fc.array(fc.nat({ max: 2000 }), { maxLength: 60, size: 'max' })

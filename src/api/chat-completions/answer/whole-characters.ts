/**
 * The number of bytes at the end that may be the beginning of one more character. Whatever stands in front of them is
 * whole, or will never be.
 */
export const openTailLength = (bytes: Uint8Array): number => {
  const { length } = bytes
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] ?? 0
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    return byte >= 0b1100_0010 && back < expectedLength(byte) ? back : 0
  }
  return 0
}

const expectedLength = (lead: number): number => {
  if (lead >= 0xf5) return 1
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}

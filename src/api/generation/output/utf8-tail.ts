/**
 * The number of bytes at the end that may be the beginning of another character. Everything before them is complete or
 * invalid: a streaming decoder would hold back exactly these bytes.
 */
export const incompleteTailLength = (bytes: Uint8Array): number => {
  const { length } = bytes
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] ?? 0
    if (isContinuation(byte)) continue
    return back < expectedLength(byte) && maySecondFollow(byte, bytes[length - back + 1]) ? back : 0
  }
  return 0
}

const isContinuation = (byte: number): boolean => byte >> 6 === 0b10

const expectedLength = (lead: number): number => {
  if (lead < 0xc2 || lead > 0xf4) return 1
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}

/** After some lead bytes only some continuation bytes form a valid character. */
const secondRanges: Record<number, [low: number, high: number]> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
}

const maySecondFollow = (lead: number, second: number | undefined): boolean => {
  const range = secondRanges[lead]
  return range === undefined || second === undefined || (second >= range[0] && second <= range[1])
}

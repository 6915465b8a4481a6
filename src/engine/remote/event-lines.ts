const lineFeed = 10
const carriageReturn = 13
const noBytes = Buffer.alloc(0)

/**
 * Splits the bytes of a stream of events into lines, wherever they were cut; lines end in LF, CRLF or CR. A line is decoded
 * only once it is complete, so that no character is ever split.
 */
export interface EventLines {
  /** Throws a `RangeError` if a line is longer than the limit. */
  push(bytes: Buffer): string[]
  /** The last line, if nothing ended it. */
  end(): string
}

export const createEventLines = (limitBytes: number): EventLines => {
  let parts: Buffer[] = []
  let heldBytes = 0
  /** The last byte was CR: if LF follows, it belongs to the same line end. */
  let afterReturn = false

  const take = (last: Buffer): string => {
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last])
    parts = []
    heldBytes = 0
    return line.toString()
  }
  return {
    push(bytes) {
      const lines: string[] = []
      let from = afterReturn && bytes[0] === lineFeed ? 1 : 0
      if (bytes.length > 0) afterReturn = false
      // Most streams have no CR at all: it is looked for once for each part, not once for each line.
      let nextReturn = bytes.indexOf(carriageReturn, from)
      while (from < bytes.length) {
        const nextFeed = bytes.indexOf(lineFeed, from)
        if (nextReturn !== -1 && nextReturn < from) nextReturn = bytes.indexOf(carriageReturn, from)
        const isReturn = nextReturn !== -1 && (nextFeed === -1 || nextReturn < nextFeed)
        const end = isReturn ? nextReturn : nextFeed
        if (end === -1) break
        refuseAbove(heldBytes + end - from, limitBytes)
        lines.push(take(bytes.subarray(from, end)))
        from = end + 1
        if (!isReturn) continue
        if (from === bytes.length) afterReturn = true
        else if (bytes[from] === lineFeed) from += 1
      }
      if (from < bytes.length) {
        heldBytes += bytes.length - from
        refuseAbove(heldBytes, limitBytes)
        parts.push(bytes.subarray(from))
      }
      return lines
    },
    end: () => take(noBytes),
  }
}

const refuseAbove = (lengthBytes: number, limitBytes: number): void => {
  if (lengthBytes > limitBytes) throw new RangeError(`a line of the stream has more than ${limitBytes} bytes`)
}

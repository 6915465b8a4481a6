const lineFeed = 10
const carriageReturn = 13
const noBytes = Buffer.alloc(0)

/**
 * Splits the bytes of a stream of events into lines, wherever they were cut; lines end in LF, CRLF or CR. A line is decoded
 * only once it is complete, so that no character is ever split.
 */
export interface EventLines {
  /** The lines that are complete now, each with LF at its end. Throws a `RangeError` if a line is longer than the limit. */
  push(bytes: Buffer): string
  /** The last line, if nothing ended it. */
  end(): string
}

export const createEventLines = (limitBytes: number): EventLines => {
  let parts: Buffer[] = []
  let heldBytes = 0
  /** The last byte was CR: if LF follows, it belongs to the same line end. */
  let afterReturn = false

  const take = (last: Buffer): string => {
    const text = parts.length === 0 ? last : Buffer.concat([...parts, last])
    parts = []
    heldBytes = 0
    return text.toString()
  }
  const hold = (rest: Buffer): void => {
    if (rest.length === 0) return
    heldBytes += rest.length
    if (heldBytes > limitBytes) throw tooLong(limitBytes)
    parts.push(rest)
  }
  return {
    push(bytes) {
      const from = afterReturn && bytes[0] === lineFeed ? 1 : 0
      if (bytes.length > 0) afterReturn = bytes.at(-1) === carriageReturn
      // Most streams have no CR.
      const hasReturns = bytes.includes(carriageReturn, from)
      const lastReturn = hasReturns ? bytes.lastIndexOf(carriageReturn) : -1
      const end = Math.max(bytes.lastIndexOf(lineFeed), lastReturn) + 1
      if (end <= from) {
        hold(bytes.subarray(from))
        return ''
      }
      // All lines at once: a call to decode costs as much as decoding a hundred characters.
      const text = take(bytes.subarray(from, end))
      hold(bytes.subarray(end))
      const lines = hasReturns ? text.replaceAll(/\r\n?/g, '\n') : text
      if (lines.length > limitBytes && lines.split('\n').some(({ length }) => length > limitBytes))
        throw tooLong(limitBytes)
      return lines
    },
    end: () => take(noBytes),
  }
}

const tooLong = (limitBytes: number): RangeError =>
  new RangeError(`a line of the stream has more than ${limitBytes} bytes`)

/**
 * Lines that are written together at the end of a turn of the event loop: a write costs as much for ten lines as for one.
 */
export interface LineBatch {
  readonly add: (line: string) => void
  /** Writes now what has been added. */
  readonly flush: () => void
}

export const createLineBatch = (write: (text: string) => void): LineBatch => {
  let unwritten = ''
  const flush = (): void => {
    const text = unwritten
    unwritten = ''
    if (text !== '') write(text)
  }
  return {
    add(line) {
      if (unwritten === '') setImmediate(flush)
      unwritten += line
    },
    flush,
  }
}

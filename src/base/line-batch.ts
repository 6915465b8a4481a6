/** Lines that are written together: a write costs as much for ten lines as for one. */
export interface LineBatch {
  readonly add: (line: string) => void
  /** Writes now what has been added. */
  readonly flush: () => void
}

/** More are written at once. */
const maxCharacters = 65_536

/** `later`: when they are written; at the end of a turn of the event loop if absent. */
export const createLineBatch = (
  write: (text: string) => void,
  later: (flush: () => void) => unknown = setImmediate,
): LineBatch => {
  let unwritten = ''
  const flush = (): void => {
    const text = unwritten
    unwritten = ''
    if (text !== '') write(text)
  }
  return {
    add(line) {
      if (unwritten === '') later(flush)
      unwritten += line
      if (unwritten.length >= maxCharacters) flush()
    },
    flush,
  }
}

/**
 * The beginning of a document of JSON as a document: a text that breaks off ends there, anything else that is not complete is left out, and
 * what is open is closed. Null if nothing of it is complete.
 */
export const completeJson = (text: string): string | null => {
  /** What closes each object and array that is open. */
  const open: string[] = []
  /** Up to here, and with so many of them open, everything is complete. */
  let safe: { to: number; depth: number } | null = null
  let mayBeKey = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      const end = endOfText(text, at + 1)
      if (!end.isClosed)
        return mayBeKey ? closed(text, safe, open) : `${text.slice(0, end.at)}"${open.toReversed().join('')}`
      at = end.at
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']')
      safe = { to: at + 1, depth: open.length }
      mayBeKey = character === '{'
    } else if (character === '}' || character === ']') {
      open.pop()
      safe = { to: at + 1, depth: open.length }
    } else if (character === ',') {
      safe = { to: at, depth: open.length }
      mayBeKey = open.at(-1) === '}'
    } else if (character === ':') mayBeKey = false
  }
  return closed(text, safe, open)
}

const closed = (text: string, safe: { to: number; depth: number } | null, open: readonly string[]): string | null =>
  safe === null ? null : text.slice(0, safe.to) + open.slice(0, safe.depth).toReversed().join('')

const plain = /[^"\\]*/y
const wholeEscape = /\\(?:[^u]|u[0-9A-Fa-f]{4})/y

/** Where the text ends, or what is whole of it. */
const endOfText = (text: string, from: number): { at: number; isClosed: boolean } => {
  for (let at = from; ; ) {
    plain.lastIndex = at
    at += plain.exec(text)?.[0].length ?? 0
    if (text[at] === '"') return { at, isClosed: true }
    wholeEscape.lastIndex = at
    const { length } = wholeEscape.exec(text)?.[0] ?? ''
    if (length === 0) return { at, isClosed: false }
    at += length
  }
}

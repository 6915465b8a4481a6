/** A formula at the start of a text, with its delimiters; null if there is none. */
export type FoundMath = { raw: string; text: string; isBlock: boolean }

/** Longer ones are text. */
const longest = 2000

const delimiters = [
  { open: '$$', close: '$$', isBlock: true },
  { open: '\\[', close: '\\]', isBlock: true },
  { open: '\\(', close: '\\)', isBlock: false },
] as const

export const findMath = (source: string): FoundMath | null => {
  const start = source.slice(0, longest)
  for (const { open, close, isBlock } of delimiters) {
    if (!start.startsWith(open)) continue
    const end = start.indexOf(close, open.length)
    const text = start.slice(open.length, end)
    return end === -1 || text.trim() === '' ? null : { raw: start.slice(0, end + close.length), text, isBlock }
  }
  return findDollars(start)
}

/** Amounts of money are none: no space inside the signs, no digit after them, no code, and all in one line. */
const findDollars = (start: string): FoundMath | null => {
  const [raw, text] = /^\$([^\s$`](?:[^$\n`]*[^\s$`])?)\$(?!\d)/.exec(start) ?? []
  return raw === undefined || text === undefined ? null : { raw, text, isBlock: false }
}

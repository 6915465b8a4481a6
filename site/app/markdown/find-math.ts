/** A formula at the start of a text, with its delimiters; null if there is none. */
export type FoundMath = { raw: string; text: string; isBlock: boolean }

/** Longer ones are text. */
const longest = 2000

const delimiters = [
  { open: '$$', close: '$$', isBlock: true },
  { open: '\\[', close: '\\]', isBlock: true },
  { open: '\\(', close: '\\)', isBlock: false },
] as const

/** `spend` gets how many characters were searched. */
export const findMath = (source: string, spend: (characters: number) => void = () => {}): FoundMath | null => {
  const start = source.slice(0, longest)
  for (const { open, close, isBlock } of delimiters) {
    if (!start.startsWith(open)) continue
    const end = start.indexOf(close, open.length)
    spend(end === -1 ? start.length : end)
    const text = start.slice(open.length, end)
    return end === -1 || text.trim() === '' ? null : { raw: start.slice(0, end + close.length), text, isBlock }
  }
  return start.startsWith('$') ? findDollars(start, spend) : null
}

/** Amounts of money are none: no space inside the signs, no digit after them, no code, and all in one line. */
const findDollars = (start: string, spend: (characters: number) => void): FoundMath | null => {
  const length = start.slice(1).search(dollarsEnd)
  spend(length === -1 ? start.length : length)
  const text = start.slice(1, length + 1)
  const after = start.slice(length + 1)
  if (length < 1 || !closingDollar.test(after) || text.trim() !== text) return null
  return { raw: `$${text}$`, text, isBlock: false }
}

const dollarsEnd = /[$\n`]/
const closingDollar = /^\$(?!\d)/

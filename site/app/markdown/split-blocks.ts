/**
 * Where the parts of a Markdown text begin that can be parsed on their own: after a blank line, outside a code block, at a
 * line that continues no list. Only complete lines decide, so a part that has ended stays as it is, whatever follows. A
 * part may be larger than one block, never smaller.
 */
export const splitBlocks = (text: string, from: number): readonly number[] => {
  const starts = [from]
  let fence: Fence | null = null
  let hasList = false
  let isEmpty = true
  let isAfterBlank = false
  for (let start = from, end = text.indexOf('\n', from); end !== -1; start = end + 1, end = text.indexOf('\n', start)) {
    const line = text.slice(start, end)
    if (fence !== null) {
      if (closes(line, fence)) fence = null
      continue
    }
    if (blank.test(line)) {
      isAfterBlank = !isEmpty
      continue
    }
    const isItem = listItem.test(line)
    if (isAfterBlank && !indented.test(line) && !(hasList && isItem)) {
      starts.push(start)
      hasList = false
    }
    hasList ||= isItem
    isEmpty = false
    isAfterBlank = false
    fence = openedBy(line)
  }
  return starts
}

type Fence = { mark: string; maxIndent: number }

const blank = /^[ \t]*$/
const indented = /^[ \t]/
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const opening = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?=[^`]*$)|~{3,})/

/** A code block, perhaps in a list. In a quotation every line has its mark, so a blank line ends both. */
const openedBy = (line: string): Fence | null => {
  const [, before = '', mark] = opening.exec(line) ?? []
  return mark === undefined ? null : { mark, maxIndent: Math.max(3, before.length) }
}

const closes = (line: string, { mark, maxIndent }: Fence): boolean => {
  const [, indent = '', run] = /^( *)(`{3,}|~{3,}) *$/.exec(line) ?? []
  return run !== undefined && indent.length <= maxIndent && run.startsWith(mark)
}

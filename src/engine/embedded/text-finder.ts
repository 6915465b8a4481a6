export type TextMatch = { start: number; end: number }

type Branch = { ends: boolean; next: Map<string, Branch> }

/**
 * Finds non-overlapping occurrences of any of `texts` from left to right, the longest at each position; also a prefix
 * of one at the very end, before white space, that following text could complete. It uses a character trie instead of a
 * regular expression: some vocabularies contain thousands of such texts, and the run time must not depend on how
 * closely a prompt imitates them.
 */
export const createTextFinder = (texts: Iterable<string>): ((text: string) => TextMatch[]) => {
  const root: Branch = { ends: false, next: new Map() }
  for (const text of texts) if (text !== '') plant(root, text)
  return (text) => {
    const matches: TextMatch[] = []
    const lastEnd = text.trimEnd().length
    for (let start = 0; start < text.length; ) {
      const end = longestEnd(root, text, start, lastEnd)
      if (end > start) matches.push({ start, end })
      start = Math.max(end, start + 1)
    }
    return matches
  }
}

const plant = (root: Branch, text: string): void => {
  let branch = root
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    const next = branch.next.get(character) ?? { ends: false, next: new Map() }
    branch.next.set(character, next)
    branch = next
  }
  branch.ends = true
}

/** The end of the longest text that begins at `start`, or `start` if none does. One cut off at `lastEnd` counts. */
const longestEnd = (root: Branch, text: string, start: number, lastEnd: number): number => {
  let end = start
  let branch: Branch | undefined = root
  for (let index = start; index < text.length; index += 1) {
    branch = branch.next.get(text.charAt(index))
    if (!branch) break
    if (branch.ends || index + 1 === lastEnd) end = index + 1
  }
  return end
}

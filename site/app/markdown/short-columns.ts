import type { Inline } from './markdown-tree.ts'

type Cells = readonly (readonly Inline[])[]

/** A column whose longest cell has no more characters is not wrapped. */
const shortCharacters = 18

/** Which columns of a table are short. */
export const shortColumns = (head: Cells, rows: readonly Cells[]): readonly boolean[] =>
  head.map((_, column) => [head, ...rows].every((row) => lengthOf(row[column] ?? []) <= shortCharacters))

const lengthOf = (inlines: readonly Inline[]): number =>
  inlines.reduce((sum, inline) => {
    if ('children' in inline) return sum + lengthOf(inline.children)
    if (inline.kind === 'break') return sum
    return sum + (inline.kind === 'image' ? inline.description : inline.text).length
  }, 0)

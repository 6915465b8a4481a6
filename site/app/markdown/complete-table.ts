/**
 * Of a growing part that ends with the first lines of a table: the same with a complete delimiter row, so that its head is
 * shown as one before that row has come.
 */
export const completeTable = (part: string): string => {
  const lines = part.replace(/\n$/, '').split('\n')
  const start = lines.findLastIndex((line) => !line.startsWith('|')) + 1
  const [head, delimiters, more] = lines.slice(start)
  if (head === undefined || more !== undefined || !/^\|.*[^\s|-]/.test(head)) return part
  if (start > 0 && lines[start - 1]?.trim() !== '') return part
  if (delimiters !== undefined && !/^\|[\s:|-]*$/.test(delimiters)) return part
  const cells = head.replace(/\|\s*$/, '').split('|').length - 1
  return [...lines.slice(0, start), head, `|${'---|'.repeat(cells)}`].join('\n')
}

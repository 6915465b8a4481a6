/** East Asian wide characters occupy two terminal columns. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/gu
const countColumns = (text: string): number => [...text].length + (text.match(wide)?.length ?? 0)

/** Makes each column as wide as its widest cell, separated by two spaces. Numeric columns are right-aligned. */
export const renderTable = (head: string[], rows: string[][], figures: readonly number[] = []): string => {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((cells) => countColumns(cells[column] ?? ''))))
  const line = (cells: string[]): string =>
    cells
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - countColumns(cell))
        return figures.includes(column) ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd()
  return `${all.map(line).join('\n')}\n`
}

type Cell = string | number | null

/**
 * One line of CSV (RFC 4180). A text that a spreadsheet would take for a formula is marked as text with the prefix that
 * spreadsheets have for it: what people name their things must not run at whoever opens the file.
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`

const cellText = (cell: Cell): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

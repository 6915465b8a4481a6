type Cell = string | number | null

/**
 * Formats one line of CSV (RFC 4180). Text that a spreadsheet would read as a formula gets the prefix that marks it as
 * text, so that a user-chosen name cannot run as a formula when the file is opened. Where people write Japanese, spreadsheets
 * read full-width signs like the ordinary ones.
 */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`

const cellText = (cell: Cell): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

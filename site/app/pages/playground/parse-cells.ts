/**
 * The cells of a spreadsheet that were copied, row by row: separated by tabs, and in quotes where they have tabs or line breaks. Null
 * if it is a text of one cell. Spreadsheets copy a table of HTML, too, with a row for each; a mail or a page may have a table somewhere
 * in it. Without one, every line must have as many tabs as the first, and none of them at its start, as indented code has.
 */
export const parseCells = (text: string, html: string): readonly (readonly string[])[] | null => {
  const lines = splitCells(text)
  // The last line ends as the others do, or is an empty row.
  const isEndOnly = lines.length > 1 && lines.at(-1)?.join('') === ''
  const rows = isEndOnly ? lines.slice(0, -1) : lines
  const [first = []] = rows
  const tableRows = html.match(/<tr[\s>]/gi)?.length ?? 0
  const isOfSpreadsheet = [rows.length, lines.length].includes(tableRows)
  const isEven = first.length > 1 && rows.every((cells) => cells.length === first.length && cells[0] !== '')
  if (!(isOfSpreadsheet || isEven) || (rows.length === 1 && first.length === 1)) return null
  return rows
}

/** A cell in quotes, where a quote is written twice, or one without; and what ends it. */
const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r?\n|\r|$)/gy

const splitCells = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = [[]]
  for (const [whole, quoted, plain = '', end] of text.matchAll(cell)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '' || whole === '') break
    if (end !== '\t') rows.push([])
  }
  return rows
}

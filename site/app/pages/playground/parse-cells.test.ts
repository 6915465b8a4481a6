import { expect, test } from 'vitest'
import { parseCells } from './parse-cells.ts'

test('lines with as many tabs each are cells, with or without a line break at the end', () => {
  const cells = [
    ['Kyoto', 'Japan'],
    ['Oslo', 'Norway'],
  ]
  expect(parseCells('Kyoto\tJapan\nOslo\tNorway', '')).toEqual(cells)
  expect(parseCells('Kyoto\tJapan\r\nOslo\tNorway\r\n', '')).toEqual(cells)
})

test('a cell in quotes may have line breaks, tabs and quotes; a quote inside a text is only a quote', () => {
  expect(parseCells('"two\nlines"\t"a ""b"""\n5" disk\t""', '')).toEqual([
    ['two\nlines', 'a "b"'],
    ['5" disk', ''],
  ])
})

/** As spreadsheets copy it beside the text. */
const tableOf = (rows: readonly (readonly string[])[]): string =>
  `<table><tbody>${rows.map((cells) => `<tr>${cells.map((text) => `<td>${text}</td>`).join('')}</tr>`).join('')}</tbody></table>`

test.each([
  ['Kyoto\r\nOslo\r\n', [['Kyoto'], ['Oslo']]],
  [
    '\tJapan\n\tNorway',
    [
      ['', 'Japan'],
      ['', 'Norway'],
    ],
  ],
  ['"two\nlines"\nOslo', [['two\nlines'], ['Oslo']]],
])('cells of a spreadsheet may be a column, or have an empty first one: %j', (text, cells) => {
  expect(parseCells(text, tableOf(cells))).toEqual(cells)
})

test('a spreadsheet may copy an empty last row without a line break after it', () => {
  expect(parseCells('Kyoto\nOslo\n', tableOf([['Kyoto'], ['Oslo'], ['']]))).toEqual([['Kyoto'], ['Oslo']])
})

test('a mail or a page with a table in it is the text of one cell', () => {
  const html = `<p>Dear all,</p>${tableOf([
    ['City', 'Land'],
    ['Kyoto', 'Japan'],
  ])}<p>Yours</p>`
  expect(parseCells('Dear all,\n\nCity\tLand\nKyoto\tJapan\n\nYours\n', html)).toBeNull()
  expect(parseCells('Dear all,\nsee below.\nYours', `<table><tr><td>all of it</td></tr></table>`)).toBeNull()
})

test.each(['one line', 'two\nlines', 'if x:\n\treturn 1\n', '\tindented', 'a\tb\nc', '', '\n'])(
  '%j is the text of one cell',
  (text) => {
    expect(parseCells(text, '')).toBeNull()
  },
)

test('a single cell of a spreadsheet is a text', () => {
  expect(parseCells('Kyoto\n', tableOf([['Kyoto']]))).toBeNull()
})

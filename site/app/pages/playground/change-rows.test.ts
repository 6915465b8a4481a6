import { expect, test } from 'vitest'
import { changeRows } from './change-rows.ts'
import { maxRows, noOtherRows, type OtherRows, type PromptVariables } from './prompt-variables.ts'
import { tableRows } from './variable-rows.ts'

type Table = { variables: PromptVariables; otherRows: OtherRows }

const one: Table = { variables: { city: 'Kyoto' }, otherRows: noOtherRows }
const three: Table = {
  variables: { city: 'Oslo' },
  otherRows: { before: [{ city: 'Kyoto' }], after: [{ city: 'Lima' }] },
}
const cities = (table: Table): string =>
  tableRows(table)
    .map(({ city = '-' }) => city)
    .join(' ')

test('a row is added at the end and leaves the choice as it is, up to twenty', () => {
  const added = changeRows.addRow(one)
  expect(tableRows(added)).toEqual([{ city: 'Kyoto' }, {}])
  expect(added.variables).toEqual({ city: 'Kyoto' })
  let table = three
  for (let at = 0; at < 30; at += 1) table = { ...table, ...changeRows.addRow(table) }
  expect(tableRows(table)).toHaveLength(maxRows)
})

test('the row that is chosen is the one that is sent, and a cell is changed in its own row', () => {
  const chosen = changeRows.choose(three, 2)
  expect([chosen.variables, cities(chosen)]).toEqual([{ city: 'Lima' }, 'Kyoto Oslo Lima'])
  const set = changeRows.setRow(chosen, 0, { land: 'Japan' })
  expect([tableRows(set)[0], set.variables]).toEqual([{ city: 'Kyoto', land: 'Japan' }, { city: 'Lima' }])
})

test.each([
  [0, 'Oslo Lima', 'Oslo'],
  [1, 'Kyoto Lima', 'Lima'],
  [2, 'Kyoto Oslo', 'Oslo'],
])('without row %i, another one stays or becomes chosen', (row, rest, chosen) => {
  const table = changeRows.removeRow(three, row)
  expect([cities(table), table.variables.city]).toEqual([rest, chosen])
})

test('cells of a spreadsheet fill rows and columns from a cell on; what has no place is left out', () => {
  const names = ['city', 'land']
  const cells = [
    ['Rome', 'Italy', 'too far'],
    ['Cairo', 'Egypt', 'too far'],
  ]
  const { table, leftOut } = changeRows.fillFrom(one, names, { row: 0, column: 0 }, cells)
  expect(tableRows(table)).toEqual([
    { city: 'Rome', land: 'Italy' },
    { city: 'Cairo', land: 'Egypt' },
  ])
  expect(leftOut).toEqual({ rows: 0, cells: 2 })
  const many = Array.from({ length: 25 }, (_, at) => [`${at}`])
  const full = changeRows.fillFrom(three, names, { row: 1, column: 1 }, many)
  expect([tableRows(full.table).length, full.leftOut.rows, tableRows(full.table)[1]]).toEqual([
    maxRows,
    25 - (maxRows - 1),
    { city: 'Oslo', land: '0' },
  ])
  expect(full.table.variables).toEqual({ city: 'Oslo', land: '0' })
})

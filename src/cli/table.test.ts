import { expect, test } from 'vitest'
import { renderTable } from './table.ts'

test('columns are as wide as their widest cell, two spaces apart, without spaces at the end', () => {
  expect(
    renderTable(
      ['ID', 'NAME'],
      [
        ['1', 'long name'],
        ['22', ''],
      ],
    ),
  ).toBe('ID  NAME\n1   long name\n22\n')
})

test('wide characters take two columns', () => {
  const [head = '', first = '', second = ''] = renderTable(
    ['NAME', 'X'],
    [
      ['東京サーバー', 'a'],
      ['👩 and all', 'b'],
    ],
  ).split('\n')
  expect(head).toBe('NAME          X')
  expect(first).toBe('東京サーバー  a')
  expect(second).toBe('👩 and all    b')
})

test('a table without rows is its head', () => {
  expect(renderTable(['A', 'B'], [])).toBe('A  B\n')
})

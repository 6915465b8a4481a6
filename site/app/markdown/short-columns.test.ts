import { expect, test } from 'vitest'
import { shortColumns } from './short-columns.ts'

const cell = (text: string) => [{ kind: 'text' as const, text }]

test('columns with short cells only are not wrapped', () => {
  const rows = [
    [cell('Kyoto'), cell('Wet in June, and pleasant in the shade')],
    [[{ kind: 'strong' as const, children: cell('Oslo') }], cell('Dry')],
  ]
  expect(shortColumns([cell('Town'), cell('What people say')], rows)).toEqual([true, false])
  expect(shortColumns([cell('A name that is too long')], [])).toEqual([false])
})

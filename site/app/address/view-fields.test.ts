import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search-string.ts'
import { choice, day, readView, text, viewAddress } from './view-fields.ts'

const fields = { q: text(5), state: choice(['all', 'live'], 'all'), from: day() }

test('a view is read from its address, and what is missing or invalid is as usual', () => {
  expect(readView(fields, parseSearch('?q=007&state=live&from=2026-11-15&other=1'))).toEqual({
    q: '007',
    state: 'live',
    from: '2026-11-15',
  })
  expect(readView(fields, parseSearch('?q=too+long&state=gone&from=2026-13-45'))).toEqual({
    q: 'too l',
    state: 'all',
    from: '',
  })
})

test('a day that is in no calendar is none', () => {
  expect(readView(fields, { from: '2026-02-30' }).from).toBe('')
  expect(readView(fields, { from: '0002-01-01' }).from).toBe('')
  expect(readView(fields, { from: '9999-12-31' }).from).toBe('')
  expect(readView(fields, { from: '2028-02-29' }).from).toBe('2028-02-29')
})

test('what is as usual does not appear in the address', () => {
  expect(stringifySearch(viewAddress(fields, { q: '', state: 'all', from: '' }))).toBe('')
  expect(stringifySearch(viewAddress(fields, { q: '1 & 2', state: 'live' }))).toBe('?q=1+%26+2&state=live')
})

import { expect, test } from 'vitest'
import { filterQuery, isFiltered, noFilter } from './request-filter.ts'

test('a filter is asked for as it is, and a last day is included', () => {
  expect(filterQuery(noFilter)).toEqual({})
  expect(isFiltered(noFilter)).toBe(false)
  const filter = { ...noFilter, key: 'key_1', model: 'a b', endpoint: 'messages' as const, q: ' 429 ' }
  expect(filterQuery(filter)).toEqual({ key: 'key_1', model: 'a b', endpoint: 'messages', text: '429' })
  const day = { ...noFilter, from: '2026-11-15', until: '2026-11-15' }
  const { since, until } = filterQuery(day)
  expect(Number(until) - Number(since)).toBe(86_400_000)
})

import { beforeEach, expect, test, vi } from 'vitest'
import { maxSavedFilters, rememberFilters, savedFilters } from './saved-filters.ts'

let texts: Map<string, string>
beforeEach(() => {
  texts = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => texts.set(name, text),
  })
  return () => vi.unstubAllGlobals()
})

test('filters are kept for the account and the organisation that saved them, and not more than fit', () => {
  const many = Array.from({ length: maxSavedFilters + 5 }, (_, at) => ({ name: `f${at}`, address: { q: String(at) } }))
  rememberFilters('acct_1-org_1', many)
  expect(savedFilters('acct_1-org_1')).toEqual(many.slice(0, maxSavedFilters))
  expect(savedFilters('acct_2-org_1')).toEqual([])
})

test.each(['{', '{}', '[1, {"name": 2}, {"name": "a"}]'])('what is no list of filters is left out: %s', (text) => {
  texts.set('helix-filters-a', text)
  expect(savedFilters('a')).toEqual([])
})

import { expect, test } from 'vitest'
import { findEntries } from './find-entries.ts'

const entry = (heading: string, text: string, names = '') => ({
  page: 'API reference',
  id: `/docs#${heading}`,
  heading,
  text,
  names,
})
const entries = [
  entry('Refusals', 'A request above a limit gets 429.', 'retry-after'),
  entry('429 Too many requests', 'Messages'),
  entry('再試行', 'Idempotency-Keyを付けると安全に再試行できます。'),
]

test('parts are found that contain every word, those named after it first', () => {
  expect(findEntries(entries, '429').map(({ heading }) => heading)).toEqual(['429 Too many requests', 'Refusals'])
  expect(findEntries(entries, ' Limit  RETRY-after ').map(({ heading }) => heading)).toEqual(['Refusals'])
  expect(findEntries(entries, '再試行').map(({ heading }) => heading)).toEqual(['再試行'])
  expect(findEntries(entries, 'limit nonsense')).toEqual([])
  expect(findEntries(entries, '  ')).toEqual([])
})

test('full-width letters and half-width kana find the same as the usual ones', () => {
  expect(findEntries(entries, 'ＩＤＥＭＰＯＴＥＮＣＹ').map(({ heading }) => heading)).toEqual(['再試行'])
  expect(findEntries([entry('ストリーム', '')], 'ｽﾄﾘｰﾑ')).toHaveLength(1)
})

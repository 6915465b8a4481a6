import { expect, test } from 'vitest'
import { bindValues, translateSql } from './translate-sql.ts'

const bound = (sql: string, ...values: Parameters<typeof bindValues>[1]) => {
  const translated = translateSql(sql)
  return { text: translated.text, values: bindValues(translated, values) }
}

test('each ? is a number of its own, and the same name the same number', () => {
  expect(bound('INSERT INTO t VALUES (?, ?, ?)', 'a', 2, null)).toEqual({
    text: 'INSERT INTO t VALUES ($1, $2, $3)',
    values: ['a', 2, null],
  })
  expect(bound('SELECT $b + $a WHERE $a = 1 OR x = $b', { a: 1, b: 2 })).toEqual({
    text: 'SELECT $1 + $2 WHERE $2 = 1 OR x = $1',
    values: [2, 1],
  })
})

test('what stands in strings, quoted names and comments is no parameter', () => {
  const sql = `SELECT 'it''s ? $a', "a?" /* $b ? */ FROM t -- ?\n WHERE x ->> '$[0]' = ?`
  expect(bound(sql, 7).text).toBe(sql.replace(/\?$/, '$1'))
})

test('bytes are one value and not names', () => {
  const bytes = new Uint8Array([1, 2])
  expect(bound('SELECT ?', bytes).values).toEqual([bytes])
})

test('a name without a value, and ? beside names, are mistakes', () => {
  expect(() => bound('SELECT $a', { b: 1 })).toThrow('no value for $a')
  expect(() => bound('SELECT $a, ?', { a: 1 })).toThrow('both')
})

test('PostgreSQL has no NUL in texts: it becomes the replacement character', () => {
  expect(bound('SELECT ?', 'a\0b').values).toEqual(['a\uFFFDb'])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonError, type JsonProblem } from './find-json-error.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test.each<[string, JsonProblem, number, number]>([
  ['', 'end', 1, 1],
  ['{\n  "a": 1\n  "b": 2\n}', 'comma_or_brace', 3, 3],
  ['[1 2]', 'comma_or_bracket', 1, 4],
  ['{"a": 1,\n}', 'trailing_comma', 2, 1],
  ['[1,]', 'trailing_comma', 1, 4],
  ['{a: 1}', 'name', 1, 2],
  ['{"a" 1}', 'colon', 1, 6],
  ['{"a": }', 'value', 1, 7],
  ["['a']", 'value', 1, 2],
  ['{"a": tru}', 'value', 1, 7],
  ['{"a": "一\n"}', 'string', 1, 9],
  ['["\\x"]', 'escape', 1, 3],
  ['["\\u12"]', 'escape', 1, 3],
  ['["open', 'end', 1, 7],
  ['{"a": [1, 2', 'end', 1, 12],
  ['{}\n\n{}', 'extra', 3, 1],
  ['[}', 'value', 1, 2],
  ['\u00a0{}', 'value', 1, 1],
])('in %j there is an error: %s in line %i, column %i', (text, problem, line, column) => {
  expect(isJson(text)).toBe(false)
  expect(findJsonError(text)).toMatchObject({ problem, line, column })
})

test('there is an error exactly where a parser finds one', () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"\\n"', '1', '-0.5e+3', '01', 'null', ' ', '\n', '"', 'x', '\\']
  const broken = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''))
  const edited = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(...pieces, '')).map(([text, place, piece]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + piece + text.slice(at + 1)
  })
  const check = (text: string): boolean => (findJsonError(text) === null) === isJson(text)
  fc.assert(fc.property(fc.oneof(broken, edited, fc.json()), check), { numRuns: 3000 })
})

test('deep nesting and long strings are no trouble', () => {
  expect(findJsonError(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`)).toBeNull()
  expect(findJsonError('['.repeat(200_000))).toMatchObject({ problem: 'end', column: 200_001 })
  expect(findJsonError(JSON.stringify('\n"一'.repeat(60_000)))).toBeNull()
})

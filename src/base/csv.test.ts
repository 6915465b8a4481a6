import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('commas, quotes and line breaks stay inside their cell', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines', null, 7])).toBe('a,"b,c","say ""hi""","two\nlines",,7\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
  '%j is text, not a formula',
  (text) => {
    expect(csvLine([text])).toBe(`'${text}\r\n`)
  },
)

import { expect, test } from 'vitest'
import { contentEncoding } from './content-encoding.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['BR', 'br'],
  ['gzip;q=0.000', 'identity'],
  ['brotli', 'identity'],
])('Accept-Encoding: %s is answered with %s', (header, encoding) => {
  expect(contentEncoding({ headers: header === undefined ? {} : { 'accept-encoding': header } })).toBe(encoding)
})

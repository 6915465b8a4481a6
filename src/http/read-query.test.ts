import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../base/api-error.ts'
import { integerText, readQuery } from './read-query.ts'
import { object, optional } from './schema/containers.ts'
import { string } from './schema/scalars.ts'
import { schema } from './schema/schema.ts'

const asIs = schema({}, (value) => value)
const read = (query: string): unknown => readQuery({ url: `/v1/things${query}` }, asIs)

test.each([
  ['', {}],
  ['?', {}],
  ['?a=b&c=', { a: 'b', c: '' }],
  ['?a', { a: '' }],
  ['?a=1&a=2', { a: '2' }],
  ['?a=x%20y+z%2B%3F?=', { a: 'x y z+??=' }],
  ['?metadata[k]=v&metadata%5Bl%5D=w', { metadata: { k: 'v', l: 'w' } }],
  ['?metadata[k]=1&metadata[k]=2', { metadata: { k: '2' } }],
  ['?metadata[a[b]]=v&metadata[]=w', { metadata: { 'a[b]': 'v', '': 'w' } }],
  ['?metadata[k]=v&metadata=text', { metadata: 'text' }],
  ['?metadata=text&metadata[k]=v', { metadata: { k: 'v' } }],
  ['?[k]=v&a[=1&b]=2&c[d]e=3', { '[k]': 'v', 'a[': '1', 'b]': '2', 'c[d]e': '3' }],
  ['?a=%E0%A4%A&b=%', { a: '\ufffd%A', b: '%' }],
])('the query %j is understood', (query, expected) => {
  expect(read(query)).toEqual(expected)
})

test('names of JavaScript properties are names like any other', () => {
  const metadata = Object.fromEntries([['__proto__', 'v']])
  expect(Object.entries(read('?metadata[__proto__]=v') as object)).toEqual([['metadata', metadata]])
  expect(Object.entries(read('?__proto__=v') as object)).toEqual([['__proto__', 'v']])
})

test('any pair is decoded to what was encoded, in either encoding', () => {
  // Building fast-check's own unit of every grapheme takes longer than all of these tests.
  const letter = fc.constantFrom('a', '[', ']', '%', '&', '=', '+', ' ', '#', '?', '\0', '\n', 'é', '日', '👩‍👩‍👧')
  const text = fc.string({ unit: letter })
  fc.assert(
    fc.property(text, text, (key, value) => {
      const escaped = encodeURIComponent(value)
      const expected = { metadata: { [key]: value } }
      expect(read(`?metadata[${encodeURIComponent(key)}]=${escaped}`)).toEqual(expected)
      expect(read(`?${encodeURIComponent(`metadata[${key}]`)}=${escaped}`)).toEqual(expected)
      expect(read(`?${new URLSearchParams([[`metadata[${key}]`, value]])}`)).toEqual(expected)
    }),
  )
})

test('no query makes it throw', () => {
  const letter = fc.constantFrom('a', '[', ']', '%', 'E', '0', '&', '=', '+', '?', '#', 'é')
  fc.assert(
    fc.property(fc.string({ unit: letter }), (query) => {
      expect(read(`?${query}`)).toBeTypeOf('object')
    }),
  )
})

test('an invalid parameter is refused by name', () => {
  const schema = object({ limit: optional(integerText({ min: 1, max: 100 })), after: optional(string()) })
  const refusal = (query: string): ApiError => {
    try {
      readQuery({ url: `/${query}` }, schema)
    } catch (error) {
      if (error instanceof ApiError) return error
    }
    throw new Error('it was accepted')
  }
  expect(readQuery({ url: '/?limit=007' }, schema)).toEqual({ limit: 7 })
  expect(refusal('?limit=0')).toMatchObject({ code: 'integer_below_min_value', options: { param: 'limit' } })
  expect(refusal('?limit=-5')).toMatchObject({ code: 'integer_below_min_value' })
  expect(refusal('?limit=101')).toMatchObject({ code: 'integer_above_max_value' })
  for (const wrong of ['', '1.5', '1e1', 'ten', '0x10', '%20', '+5', '5%00'])
    expect(refusal(`?limit=${wrong}`)).toMatchObject({ code: 'invalid_type', options: { param: 'limit' } })
  expect(refusal('?limit[x]=1')).toMatchObject({ code: 'invalid_type', options: { param: 'limit' } })
  expect(refusal('?before=x')).toMatchObject({ code: 'unknown_parameter', options: { param: 'before' } })
})

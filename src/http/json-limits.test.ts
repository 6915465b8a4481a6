import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonCounter, findExcess } from './json-limits.ts'

const generous = { depth: 100, values: 10_000, keys: 10_000, items: 10_000 }
const find = (text: string, limits: Partial<typeof generous>) =>
  findExcess(Buffer.from(text), { ...generous, ...limits })

const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, item) => sum + valuesOf(item), 1)
    : 1
const maxKeysOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Math.max(Array.isArray(value) ? 0 : Object.keys(value).length, ...Object.values(value).map(maxKeysOf))

test('for any JSON, values and keys are counted as in the parsed value, whatever its strings contain', () => {
  const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', 'a', '猫', '\n') })
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 6 }, text, fc.integer(), fc.constant(null), tie('array'), tie('object')),
    array: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  })).value
  fc.assert(
    fc.property(json, fc.constantFrom(0, 1), fc.nat({ max: 20 }), (value, indent, limit) => {
      const written = JSON.stringify(value, null, indent)
      const read: unknown = JSON.parse(written)
      expect(find(written, { values: limit })?.limit === 'values').toBe(valuesOf(read) > limit)
      const keys = Math.max(1, Math.min(4, limit))
      expect(find(written, { keys })?.limit === 'keys').toBe(maxKeysOf(read) > keys)
    }),
  )
})

test('the object with too many keys is named by its path', () => {
  const many = '{"a":1,"b":2,"c":3}'
  expect(find(many, { keys: 2 })).toEqual({ limit: 'keys', path: '' })
  expect(find(`{"x":{},"tools":[1,{"na\\"me":[[],${many}]}]}`, { keys: 2 })).toEqual({
    limit: 'keys',
    path: 'tools[1].na"me[1]',
  })
  expect(find(`{"${'k'.repeat(500)}":${many}}`, { keys: 2 })?.path).toBe('…')
})

test('duplicate keys count as several', () => {
  expect(find(`{${Array.from({ length: 11 }, () => '"a":1').join()}}`, { keys: 10 })?.limit).toBe('keys')
})

test('bytes that are not JSON do no harm', () => {
  const unit = fc.constantFrom('[', ']', '{"":', '{', '}', '"', '\\', ',', ':', '1')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      find(text, { depth: 3, values: 5, keys: 2 })
    }),
  )
})

test('arrays and objects in one array are counted, other items and those of other arrays are not', () => {
  expect(find('{"a":[{},[],{"b":[{},{}]}]}', { items: 3 })).toBeNull()
  expect(find('{"a":[1,{},[],{"b":[{},{}]}]}', { items: 2 })).toEqual({ limit: 'items', path: 'a' })
  expect(find('[1,2,3,"[]",4]', { items: 0 })).toBeNull()
})

test('the first part of a document shows what it exceeds', () => {
  const text = '{"model":"m","messages":[{},{},{},{"content":"a long text'
  expect(find(text, { items: 3 })).toEqual({ limit: 'items', path: 'messages' })
  expect(find(text, { items: 4 })).toBeNull()
})

test('a document in parts, wherever it is cut, exceeds the same limits as in one', () => {
  const unit = fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', 'a', ' ')
  const text = fc.oneof(fc.string({ unit, maxLength: 60 }), fc.json())
  const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 5 })
  fc.assert(
    fc.property(text, cuts, (written, at) => {
      const bytes = Buffer.from(written)
      const limits = { depth: 3, values: 6, keys: 2, items: 2 }
      const counter = createJsonCounter(limits)
      const ends = [...at.toSorted((a, b) => a - b), bytes.length]
      const found = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).map((part) => counter.add(part))
      expect(found.find((excess) => excess !== null)?.limit).toBe(findExcess(bytes, limits)?.limit)
    }),
  )
})

test('the path of what a later part exceeds has the keys of earlier parts, but none that is cut', () => {
  const path = (...parts: string[]) => {
    const counter = createJsonCounter({ ...generous, items: 1 })
    return parts.map((part) => counter.add(Buffer.from(part))).find((excess) => excess !== null)?.path
  }
  expect(path('{"messages":[{"content":"a', 'b"}', ',{}]}')).toBe('messages')
  expect(path('{"mess', 'ages":[{},{}]}')).toBe('…')
  expect(path('{"messages"', ':[{},{}]}')).toBe('…')
})

test('the share of a limit that is used tells whether a body is on its way to exceed it', () => {
  const counter = createJsonCounter({ ...generous, items: 4 })
  counter.add(Buffer.from('{"messages":[{},{}'))
  expect(counter.usedShare()).toBe(0.5)
  counter.add(Buffer.from(']'))
  expect(counter.usedShare()).toBeLessThan(0.01)
})

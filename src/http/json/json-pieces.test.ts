import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonPieces } from './json-pieces.ts'
import { longList } from './long-list.ts'

const written = (value: unknown): string => [...jsonPieces(value)].join('')

test('the pieces of any document are the JSON that is written at once, with long lists anywhere', () => {
  const { value } = fc.letrec((tie) => ({
    list: fc.array(tie('value'), { maxLength: 5 }).map((items) => longList(() => items)),
    value: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue({ maxDepth: 2 }),
      fc.constant(undefined),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
      tie('list'),
    ),
  }))
  const same = fc.property(fc.array(value, { maxLength: 3 }), (items) => {
    const document = { items }
    expect(written(document)).toBe(JSON.stringify(document))
  })
  fc.assert(same)
})

test('a long list is written in many pieces, and made again each time it is written', () => {
  let made = 0
  const document = {
    list: longList(function* () {
      for (let n = 0; n < 100_000; n += 1) {
        made += 1
        yield n
      }
    }),
  }
  const pieces = [...jsonPieces(document)]
  expect(pieces.join('')).toBe(JSON.stringify(document))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(20_000)
  expect(made).toBe(200_000)
})

test('the next piece is not made before it is asked for', () => {
  let made = 0
  const document = [
    longList(function* () {
      for (; made < 100_000; made += 1) yield 'x'
    }),
  ]
  const pieces = jsonPieces(document)
  for (let n = 0; n < 3; n += 1) pieces.next()
  expect(made).toBeLessThan(10_000)
})

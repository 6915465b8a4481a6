import { isLongList } from './long-list.ts'

/** Long lists are this deep in a document at most: what is deeper is written at once. */
const maxDepth = 4

/** The JSON of a document in pieces, which are made one after the other: between two of them others can have their turn. */
export function* jsonPieces(value: unknown, depth = 0): Generator<string> {
  if (typeof value !== 'object' || value === null) yield JSON.stringify(value) ?? 'null'
  else if (isLongList(value)) {
    yield '['
    yield* value.pieces()
    yield ']'
  } else if (depth > maxDepth || 'toJSON' in value) yield JSON.stringify(value)
  else if (Array.isArray(value)) yield* arrayPieces(value, depth)
  else yield* objectPieces(value, depth)
}

function* arrayPieces(items: readonly unknown[], depth: number): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) {
    if (index > 0) yield ','
    yield* jsonPieces(item, depth + 1)
  }
  yield ']'
}

function* objectPieces(record: object, depth: number): Generator<string> {
  let separator = '{'
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    yield* jsonPieces(value, depth + 1)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

import { parseJsonText } from '../base/parse-json-text.ts'

/** A place in a JSON value: names of fields and indexes of items, from the outside in. */
export type JsonPath = readonly (string | number)[]

/** Where each value of a JSON text begins, or where the text stops being JSON. Offsets are those of the text. */
export type JsonPositions =
  | { isJson: true; offsetOf(path: JsonPath): number }
  | { isJson: false; offset: number; expected: string }

// biome-ignore lint/suspicious/noControlCharactersInRegex: a string of JSON must not contain them
const stringPattern = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const otherPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Deeper than any setting. */
const maxDepth = 64

class NotJson extends Error {
  readonly offset: number

  constructor(offset: number, expected: string) {
    super(expected)
    this.offset = offset
  }
}

/** `JSON.parse` says neither where values are nor, at the end of the text, where an error is. */
export const locateJson = (text: string): JsonPositions => {
  const offsets = new Map<string, number>()
  try {
    const end = readValue(text, skipSpace(text, 0), [], offsets)
    const rest = skipSpace(text, end)
    if (rest < text.length) throw new NotJson(rest, 'nothing more')
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    return { isJson: false, offset: error.offset, expected: error.message }
  }
  return { isJson: true, offsetOf: (path) => nearestOffset(offsets, path) }
}

/** That of the value, or of what it would be part of. */
const nearestOffset = (offsets: ReadonlyMap<string, number>, path: JsonPath): number => {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = offsets.get(JSON.stringify(path.slice(0, length)))
    if (offset !== undefined) return offset
  }
  return offsets.get('[]') ?? 0
}

/** Lines and columns as editors count them, from 1. */
export const lineAndColumn = (text: string, offset: number): { line: number; column: number } => {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}

const skipSpace = (text: string, from: number): number => {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}

/** Returns the offset after the value. Of a field, the offset is that of its name. */
const readValue = (text: string, at: number, path: JsonPath, offsets: Map<string, number>): number => {
  if (path.length > maxDepth) throw new NotJson(at, `at most ${maxDepth} levels`)
  const key = JSON.stringify(path)
  if (!offsets.has(key)) offsets.set(key, at)
  const first = text.charAt(at)
  if (first === '{') return readItems(text, at, '}', (from) => readField(text, from, path, offsets))
  if (first === '[') {
    let index = -1
    return readItems(text, at, ']', (from) => {
      index += 1
      return readValue(text, from, [...path, index], offsets)
    })
  }
  const end = matchAt(first === '"' ? stringPattern : otherPattern, text, at)
  if (end === null)
    throw new NotJson(at, first === '"' ? 'a string without line breaks, with its closing "' : 'a value')
  return end
}

/** `{` or `[`, items that are separated by commas, and the closing bracket. */
const readItems = (text: string, start: number, close: '}' | ']', readItem: (from: number) => number): number => {
  let at = skipSpace(text, start + 1)
  if (text.charAt(at) === close) return at + 1
  for (;;) {
    at = skipSpace(text, readItem(at))
    const next = text.charAt(at)
    if (next === close) return at + 1
    if (next !== ',') throw new NotJson(at, `',' or '${close}'`)
    const following = skipSpace(text, at + 1)
    if (text.charAt(following) === close) throw new NotJson(at, `no ',' before '${close}'`)
    at = following
  }
}

const readField = (text: string, at: number, path: JsonPath, offsets: Map<string, number>): number => {
  const end = matchAt(stringPattern, text, at)
  if (end === null) throw new NotJson(at, 'a name in double quotes')
  const name = parseJsonText(text.slice(at, end))
  const inner = [...path, typeof name === 'string' ? name : '']
  // `JSON.parse` takes the last of equal names.
  offsets.set(JSON.stringify(inner), at)
  const colon = skipSpace(text, end)
  if (text.charAt(colon) !== ':') throw new NotJson(colon, "':'")
  return readValue(text, skipSpace(text, colon + 1), inner, offsets)
}

/** The offset after the match; null if there is none at this place. */
const matchAt = (pattern: RegExp, text: string, at: number): number | null => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}

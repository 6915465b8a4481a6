import { endOfString } from './json-depth.ts'

/** How much one JSON document may contain. */
export type JsonLimits = {
  depth: number
  /** In the whole document: strings, numbers, `true`, `false`, `null`, arrays and objects. */
  values: number
  /** In one object; a duplicate key counts twice. */
  keys: number
  /** Arrays and objects in one array. */
  items: number
}

/** `path` leads to the object or array that has too many, as `tools[0].function.parameters`; empty for the document itself. */
export type JsonExcess = { limit: keyof JsonLimits; path: string }

const [quote, comma, colon] = [0x22, 0x2c, 0x3a]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

type Level = { isObject: boolean; commas: number; items: number; isEmpty: boolean; keyStart: number; keyEnd: number }

/**
 * The first limit that a document exceeds, judged by its bytes before it is parsed: what the parser would build from a few
 * megabytes can take seconds and hundreds of megabytes. Of the first part of a document it says what that part exceeds. Bytes that are not JSON may be counted wrongly, but only after the
 * place where the parser stops.
 */
export const findExcess = (bytes: Uint8Array, limits: JsonLimits): JsonExcess | null => {
  const levels: Level[] = []
  let depth = 0
  let values = 1
  let top: Level | undefined
  let stringStart = 0
  let stringEnd = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte <= 0x20) continue
    if (byte === closeArray || byte === closeObject) {
      if (top?.isEmpty === false) values += 1
      depth = Math.max(0, depth - 1)
      top = levels[depth - 1]
    } else {
      if (top !== undefined) top.isEmpty = false
      if (byte === quote) {
        stringStart = at
        stringEnd = endOfString(bytes, at + 1)
        at = stringEnd
      } else if (byte === comma) {
        values += 1
        if (top !== undefined) top.commas += 1
        if (top?.isObject && top.commas >= limits.keys) return { limit: 'keys', path: pathOf(bytes, levels, depth - 1) }
      } else if (byte === colon && top !== undefined) {
        top.keyStart = stringStart
        top.keyEnd = stringEnd
      } else if (byte === openArray || byte === openObject) {
        if (top !== undefined && !top.isObject) {
          top.items += 1
          if (top.items > limits.items) return { limit: 'items', path: pathOf(bytes, levels, depth - 1) }
        }
        depth += 1
        if (depth > limits.depth) return { limit: 'depth', path: '' }
        top = enter(levels, depth - 1, byte === openObject)
      }
    }
    if (values > limits.values) return { limit: 'values', path: '' }
  }
  return null
}

/** Levels are reused: there are as many as the document is deep. */
const enter = (levels: Level[], index: number, isObject: boolean): Level => {
  const level = levels[index] ?? { isObject, commas: 0, items: 0, isEmpty: true, keyStart: 0, keyEnd: 0 }
  levels[index] = level
  level.isObject = isObject
  level.commas = 0
  level.items = 0
  level.isEmpty = true
  return level
}

const pathOf = (bytes: Uint8Array, levels: readonly Level[], count: number): string =>
  levels.slice(0, count).reduce((path, level) => {
    if (!level.isObject) return `${path}[${level.commas}]`
    const key = keyOf(bytes.subarray(level.keyStart, level.keyEnd + 1))
    return path === '' ? key : `${path}.${key}`
  }, '')

const mostKeyBytes = 200

const keyOf = (quoted: Uint8Array): string => {
  if (quoted.length > mostKeyBytes) return '…'
  try {
    return String(JSON.parse(Buffer.from(quoted).toString())).slice(0, 64)
  } catch {
    return '…'
  }
}

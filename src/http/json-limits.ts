import { parseJsonText } from '../base/parse-json-text.ts'
import { endOfString } from './json-depth.ts'
import type { JsonString } from './shorten-text.ts'

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

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** `keyBytes`: the part of the document in which the last key is, from `keyStart` to `keyEnd`. */
type Level = {
  isObject: boolean
  commas: number
  items: number
  isEmpty: boolean
  keyBytes: Uint8Array
  keyStart: number
  keyEnd: number
}

const noBytes = new Uint8Array()

/**
 * Strings longer than this are reported with their paths while the document is counted, but only those that lie within
 * one part.
 */
export type LongStrings = { minBytes: number; found(string: JsonString, path: string): void }

const noLongStrings: LongStrings = { minBytes: Number.POSITIVE_INFINITY, found() {} }

/** Not a key: in an object, only a colon separates it from the last key. */
const isValue = (bytes: Uint8Array, top: Level | undefined, start: number): boolean =>
  top?.isObject !== true ||
  (top.keyBytes === bytes && /^\s*:\s*$/.test(Buffer.from(bytes.subarray(top.keyEnd + 1, start)).toString('latin1')))

/** The first limit that a document exceeds, or what its first part exceeds. See `createJsonCounter`. */
export const findExcess = (bytes: Uint8Array, limits: JsonLimits): JsonExcess | null =>
  createJsonCounter(limits).add(bytes)

/**
 * Counts what a document contains while its parts arrive, and returns the first limit that they exceed. It is judged by its
 * bytes before it is parsed: what the parser would build from a few megabytes can take seconds and hundreds of megabytes.
 * Bytes that are not JSON may be counted wrongly, but only after the place where the parser stops.
 */
export const createJsonCounter = (limits: JsonLimits, longStrings: LongStrings = noLongStrings) => {
  const levels: Level[] = []
  let depth = 0
  let values = 1
  let top: Level | undefined
  let stringStart = 0
  let stringEnd = 0
  /** The part ended within a string, or after a backslash in it. */
  let isInString = false
  let isEscaped = false

  /** The end of a string that goes on at `from`, or the length of the part if it does not end there. */
  const endString = (bytes: Uint8Array, from: number): number => {
    // The part before ended in a backslash: skip the character that it escapes, which may be a backslash itself.
    const end = isEscaped ? from + 1 + endOfString(bytes.subarray(from + 1), 0) : endOfString(bytes, from)
    isInString = end >= bytes.length
    isEscaped = isInString && endsEscaped(bytes, from, isEscaped)
    return end
  }
  const add = (part: Uint8Array): JsonExcess | null => {
    // A Buffer is searched many times faster than another array.
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.length)
    let at = 0
    // A key may have ended with the part before, which is not the part of its colon.
    stringStart = -1
    if (isInString && bytes.length > 0) {
      stringEnd = endString(bytes, 0)
      at = stringEnd + 1
    }
    for (; at < bytes.length; at += 1) {
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
          stringEnd = endString(bytes, at + 1)
          at = stringEnd
          if (stringEnd - stringStart > longStrings.minBytes && isValue(bytes, top, stringStart))
            longStrings.found({ start: stringStart, end: stringEnd }, valuePath(levels, depth))
        } else if (byte === comma) {
          values += 1
          if (top !== undefined) top.commas += 1
          if (top?.isObject && top.commas >= limits.keys) return { limit: 'keys', path: valuePath(levels, depth - 1) }
        } else if (byte === colon && top !== undefined) {
          top.keyBytes = bytes
          top.keyStart = stringStart
          top.keyEnd = stringEnd
        } else if (byte === openArray || byte === openObject) {
          if (top !== undefined && !top.isObject) {
            top.items += 1
            if (top.items > limits.items) return { limit: 'items', path: valuePath(levels, depth - 1) }
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
  return {
    add,
    /** The largest share of a limit that the document and what is still open in it have used. */
    usedShare: (): number =>
      levels
        .slice(0, depth)
        .reduce((share, level) => Math.max(share, levelShare(level, limits)), values / limits.values),
  }
}

const levelShare = ({ isObject, commas, items }: Level, { keys, items: maxItems }: JsonLimits): number =>
  isObject ? commas / keys : items / maxItems

/** Whether the first byte after these belongs to an escape. */
const endsEscaped = (bytes: Uint8Array, from: number, wasEscaped: boolean): boolean => {
  let slashes = 0
  while (bytes.length - 1 - slashes >= from && bytes[bytes.length - 1 - slashes] === backslash) slashes += 1
  // The whole part is backslashes, and the first of them is escaped by the part before.
  if (wasEscaped && slashes > 0 && slashes === bytes.length - from) slashes -= 1
  return slashes % 2 === 1
}

/** Levels are reused: there are as many as the document is deep. */
const enter = (levels: Level[], index: number, isObject: boolean): Level => {
  const known = levels[index]
  if (known === undefined) {
    const level = { isObject, commas: 0, items: 0, isEmpty: true, keyBytes: noBytes, keyStart: 0, keyEnd: 0 }
    levels.push(level)
    return level
  }
  const level = known
  level.isObject = isObject
  level.commas = 0
  level.items = 0
  level.isEmpty = true
  return level
}

const valuePath = (levels: readonly Level[], count: number): string =>
  levels.slice(0, count).reduce((path, level) => {
    if (!level.isObject) return `${path}[${level.commas}]`
    const key = readKey(level)
    return path === '' ? key : `${path}.${key}`
  }, '')

const maxKeyBytes = 200

/** A key that spans two parts is not named. */
const readKey = ({ keyBytes, keyStart, keyEnd }: Level): string => {
  if (keyStart === -1 || keyEnd + 1 - keyStart > maxKeyBytes) return '…'
  try {
    return String(parseJsonText(Buffer.from(keyBytes.subarray(keyStart, keyEnd + 1)).toString())).slice(0, 64)
  } catch {
    return '…'
  }
}

import { ApiError } from '../base/api-error.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { createJsonCounter, findExcess, type JsonExcess } from './json-limits.ts'
import type { CheckPart } from './read-body.ts'
import { type JsonString, shortenText } from './shorten-text.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The depth is several times what the deepest usable tools and schemas need. `values` allows ten thousand messages of
 * an agent, half of them with calls, and a hundred tools; no list of objects may have more than ten thousand items,
 * which its schema reports in its own words.
 */
const jsonLimits = { depth: 128, values: 200_000, keys: 2000, items: 16_384 }

/**
 * Counts the parts of a body while they arrive, and throws an `ApiError` if it exceeds a limit. Counting short strings
 * and many brackets takes time, so it continues only while the body seems likely to exceed a limit; the rest is counted
 * before it is parsed.
 */
export const createJsonCheck = (): CheckPart => {
  const counter = createJsonCounter(jsonLimits)
  return (part, readShare) => {
    refuseExcess(counter.add(part))
    return counter.usedShare() > readShare
  }
}

const refuseExcess = (excess: JsonExcess | null): void => {
  if (excess !== null) throw excessError(excess)
}

/** Texts at paths that match, of which no more than `maxBytes` need to be parsed. */
export type ShortenedTexts = { paths: RegExp; maxBytes: number }

/** Parses the bytes of a body as JSON. Throws an `ApiError` that says what is wrong with them. */
export const parseJson = (body: Uint8Array, shortened?: ShortenedTexts): unknown => {
  // A Buffer is searched many times faster than another array.
  const whole = Buffer.from(body.buffer, body.byteOffset, body.length)
  if (whole.length === 0) throw ApiError.of('invalid_json', { reason: 'The body is empty.' })
  const bytes = checkedBytes(whole, shortened)
  try {
    return parseChecked(bytes)
  } catch (error) {
    // Positions in errors are those of the whole body.
    if (bytes === whole) throw error
    return parseChecked(whole)
  }
}

const parseChecked = (bytes: Buffer): unknown => {
  let text: string
  try {
    text = strictUtf8.decode(bytes)
  } catch {
    throw ApiError.of('invalid_json', { reason: 'The body is not valid UTF-8.' })
  }
  try {
    const value = parseJsonText(text)
    return mayHoldHalves(bytes, text) ? replaceHalves(value) : value
  } catch (error) {
    throw ApiError.of('invalid_json', { reason: describeSyntaxError(error) })
  }
}

/** Checks the bytes against the limits, and shortens the first text that is too long. */
const checkedBytes = (bytes: Buffer, shortened: ShortenedTexts | undefined): Buffer => {
  if (shortened === undefined || bytes.length <= shortened.maxBytes) {
    refuseExcess(findExcess(bytes, jsonLimits))
    return bytes
  }
  const { paths, maxBytes } = shortened
  let text: JsonString | null = null
  const found = (string: JsonString, path: string): void => {
    if (paths.test(path)) text ??= string
  }
  refuseExcess(createJsonCounter(jsonLimits, { minBytes: maxBytes, found }).add(bytes))
  return text === null ? bytes : (shortenText(bytes, text, maxBytes) ?? bytes)
}

const excessReasons = {
  depth: `The JSON is nested deeper than ${jsonLimits.depth} levels.`,
  values: `The JSON contains more than ${jsonLimits.values} values.`,
  keys: `An object in the JSON has more than ${jsonLimits.keys} keys.`,
  items: `An array in the JSON has more than ${jsonLimits.items} arrays or objects.`,
}

const excessError = ({ limit, path }: JsonExcess): ApiError =>
  ApiError.of('invalid_json', { reason: excessReasons[limit] }, path === '' ? {} : { param: path })

/**
 * JSON can express a lone surrogate (`\ud83d`), which neither tokenisers nor UTF-8 can. In valid UTF-8 only an escape can, so
 * texts without escapes need not be searched.
 */
const mayHoldHalves = (bytes: Uint8Array, text: string): boolean => bytes.includes(backslash) && escapedHalf.test(text)

const backslash = 0x5c
const escapedHalf = /\\u[dD][89a-fA-F]/

/** Lone surrogates become U+FFFD, in keys as well. The depth was limited before. */
const replaceHalves = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(replaceHalves)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), replaceHalves(item)]))
}

/** Some of V8's messages quote the body; only the position is passed on, if there is one. */
const describeSyntaxError = (error: unknown): string => {
  const message = error instanceof Error ? error.message : ''
  const position = /position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return `Invalid JSON at position ${position}.`
  return message.includes('end of JSON') ? 'Unexpected end of JSON input.' : 'The body is not valid JSON.'
}

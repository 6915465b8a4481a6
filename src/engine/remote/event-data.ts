import { parseJsonText } from '../../base/parse-json-text.ts'
import { createEventLines } from './event-lines.ts'
import type { PlainChunk } from './plain-chunk.ts'

/** The texts of plain chunks that follow each other, or the value of any other event. */
export type EventValue = { texts: readonly string[] } | { json: unknown }

/** Reads the JSON values of a stream of events. */
export interface EventData {
  /** The values completed by these bytes. Throws on what is neither JSON nor `[DONE]`. */
  push(bytes: Buffer): EventValue[]
  /** The stream has ended: the value of an event that nothing ended. */
  end(): EventValue[]
  /** `[DONE]` has arrived; everything after it is ignored. */
  isDone(): boolean
}

const defaultLineBytes = 4 * 1024 * 1024

/**
 * Lenient where it does no harm: a line of data that is complete JSON is a value, even without the blank line after it, so
 * that upstreams which leave it out are understood. Other fields and comments are ignored. `plain`: null if there are no chunks
 * of chat completions.
 */
export const createEventData = (plain: PlainChunk | null = null, maxLineBytes = defaultLineBytes): EventData => {
  const lines = createEventLines(maxLineBytes)
  let isDone = false
  /** The lines of an event whose data is not complete JSON yet. */
  let pending = ''

  const readLine = (line: string, values: EventValue[]): void => {
    if (isDone) return
    if (line === '') {
      // A blank line ends the event, so it has to be complete.
      if (pending !== '') values.push({ json: parse(pending) })
      pending = ''
      return
    }
    if (!line.startsWith('data:')) return
    const data = line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5)
    if (pending === '' && data.trim() === '[DONE]') {
      isDone = true
      return
    }
    const text = pending === '' ? data : `${pending}\n${data}`
    if (text.length > maxLineBytes) throw new RangeError(`an event has more than ${maxLineBytes} characters`)
    const value = data.endsWith('}') ? tryParse(text) : undefined
    if (value === undefined) pending = text
    else {
      plain?.learn(text, value)
      values.push({ json: value })
      pending = ''
    }
  }
  return {
    push(bytes) {
      const values: EventValue[] = []
      const text = lines.push(bytes)
      for (let at = 0; at < text.length; ) {
        const texts = plain === null || isDone || pending !== '' ? [] : plain.textsAt(text, at)
        if (plain !== null && texts.length > 0) {
          values.push({ texts })
          at = plain.end()
          continue
        }
        const lineEnd = text.indexOf('\n', at)
        readLine(text.slice(at, lineEnd), values)
        at = lineEnd + 1
      }
      return values
    },
    end() {
      const values: EventValue[] = []
      readLine(lines.end(), values)
      readLine('', values)
      return values
    },
    isDone: () => isDone,
  }
}

const tryParse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return undefined
  }
}

/** The error of `JSON.parse` quotes the text, which may be part of an answer. */
const parse = (text: string): unknown => {
  const value = tryParse(text)
  if (value === undefined) throw new TypeError('the upstream sent an event that is not JSON')
  return value
}

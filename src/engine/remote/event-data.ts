import { isRecord } from '../../base/is-record.ts'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { createEventLines } from './event-lines.ts'
import type { PlainChunk } from './plain-chunk.ts'
import { failed } from './read-response.ts'

/** The texts of plain chunks that follow each other, or the value of any other event. */
export type EventValue = { texts: readonly string[] } | { json: unknown }

/** Reads the JSON values of a stream of events. */
export interface EventData {
  /** The values completed by these bytes. Throws on what is neither JSON nor `[DONE]`. */
  push(bytes: Buffer): EventValue[]
  /** The stream has ended: the value of an event that nothing ended. */
  end(): EventValue[]
  /** `[DONE]` or the last event has arrived; everything after it is ignored. */
  isDone(): boolean
}

const defaultLineBytes = 4 * 1024 * 1024

/**
 * Lenient where it does no harm: a line of data that is complete JSON is a value, even without the blank line after it, so
 * that upstreams which leave it out are understood. Other fields and comments are ignored. `plain`: null if there are no chunks
 * of chat completions. `lastTypes`: the types of events that nothing follows.
 */
export const createEventData = (
  plain: PlainChunk | null = null,
  maxLineBytes = defaultLineBytes,
  lastTypes?: ReadonlySet<string>,
): EventData => {
  const lines = createEventLines(maxLineBytes)
  let isDone = false
  let isBegun = false
  /** The lines of an event whose data is not complete JSON yet. */
  let pending = ''

  const add = (json: unknown, values: EventValue[]): void => {
    values.push({ json })
    pending = ''
    isDone = lastTypes !== undefined && isRecord(json) && lastTypes.has(String(json.type))
  }
  /** Where the text begins: a byte order mark at the beginning of a stream belongs to no line. */
  const beginOf = (text: string): number => {
    const isFirst = !isBegun && text !== ''
    isBegun ||= isFirst
    return isFirst && text.startsWith('\ufeff') ? 1 : 0
  }
  const readLine = (line: string, values: EventValue[]): void => {
    if (isDone) return
    if (line === '') {
      // A blank line ends the event, so it has to be complete.
      if (pending !== '') add(parse(pending), values)
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
      add(value, values)
    }
  }
  return {
    push(bytes) {
      const values: EventValue[] = []
      const text = lines.push(bytes)
      for (let at = beginOf(text); at < text.length; ) {
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
      const line = lines.end()
      readLine(line.slice(beginOf(line)), values)
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
  if (value === undefined) throw failed('it sent an event that is not JSON')
  return value
}

import { parseJsonText } from '../../../base/parse-json-text.ts'
import { openEndLength } from './text-search.ts'

/**
 * Parses one call from `<tool_call>` to `</tool_call>`: its name once it is complete, then the text of its arguments as it
 * arrives. Text between the tags that is not a call is content.
 */
export interface ToolCallParser {
  /** `rest`: what follows the call, once it has ended. */
  push(text: string): { segments: Segment[]; rest: string | null }
  /** The model has ended within the call. */
  flush(): Segment[]
}

const callEnd = '</tool_call>'
const head = /^<tool_call>\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:/s

export const createToolCallParser = (): ToolCallParser => {
  let state: 'head' | 'arguments' | 'tail' = 'head'
  let held = ''
  const value = createJsonEnd()

  const readHead = (segments: Segment[]): string | null => {
    const match = head.exec(held)
    const name = match === null ? null : readName(match[1] ?? '')
    if (match !== null && name !== null) {
      segments.push({ type: 'call', name, source: match[0] })
      held = held.slice(match[0].length)
      state = 'arguments'
      return readArguments(segments)
    }
    const end = held.indexOf(callEnd)
    if (end === -1) return null
    segments.push({ type: 'content', source: held.slice(0, end + callEnd.length) })
    return held.slice(end + callEnd.length)
  }

  const readArguments = (segments: Segment[]): string | null => {
    const blankLength = value.hasBegun() ? 0 : held.length - held.trimStart().length
    segments.push({ type: 'dropped', source: held.slice(0, blankLength) })
    const end = value.find(held.slice(blankLength))
    const until = end === -1 ? held.length : blankLength + end
    segments.push({ type: 'arguments', source: held.slice(blankLength, until) })
    held = held.slice(until)
    if (end === -1) return null
    state = 'tail'
    segments.push({ type: 'call-end', source: '' })
    return readTail(segments)
  }

  const readTail = (segments: Segment[]): string | null => {
    const end = held.indexOf(callEnd)
    const until = end === -1 ? held.length - openEndLength(held, [callEnd]) : end + callEnd.length
    segments.push({ type: 'dropped', source: held.slice(0, until) })
    held = held.slice(until)
    return end === -1 ? null : held
  }

  const read = { head: readHead, arguments: readArguments, tail: readTail }
  return {
    push(text) {
      held += text
      const segments: Segment[] = []
      return { rest: read[state](segments), segments }
    },
    flush: () => [{ type: 'dropped', source: held }],
  }
}

const readName = (quoted: string): string | null => {
  try {
    return String(parseJsonText(quoted))
  } catch {
    return null
  }
}

/** Finds the end of a JSON object or array in a text that arrives in pieces. */
const createJsonEnd = () => {
  let state: 'before' | 'value' | 'string' | 'escape' = 'before'
  let depth = 0
  const readsEnd = (character: string): boolean => {
    if (state === 'escape') state = 'string'
    else if (state === 'string') {
      if (character === '\\') state = 'escape'
      else if (character === '"') state = 'value'
    } else {
      state = character === '"' ? 'string' : 'value'
      if (character === '{' || character === '[') depth += 1
      else if (character === '}' || character === ']') depth -= 1
      return depth <= 0
    }
    return false
  }
  return {
    hasBegun: () => state !== 'before',
    /** The index after the last character of the value; -1 if it is not in this text. */
    find(text: string): number {
      for (let index = 0; index < text.length; index += 1) if (readsEnd(text[index] ?? '')) return index + 1
      return -1
    },
  }
}

/** A part of the model's text. `source` is the text itself: all sources joined are what the model wrote. */
export type Segment =
  | { type: 'content' | 'reasoning' | 'arguments' | 'dropped'; source: string }
  | { type: 'call'; name: string; source: string }
  /** The arguments of a call are complete. */
  | { type: 'call-end'; source: '' }

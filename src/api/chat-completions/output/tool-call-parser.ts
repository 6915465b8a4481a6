import type { Segment } from './segments.ts'
import { openEndLength } from './text-search.ts'

/**
 * Reads one call from `<tool_call>` to `</tool_call>`: its name as soon as it is whole, then the text of its
 * arguments as it comes. What is no call turns out to be content.
 */
export interface ToolCallParser {
  /** `rest`: what follows the call, once it has ended. */
  push(piece: string): { segments: Segment[]; rest: string | null }
  /** The answer broke off inside the call. */
  flush(): Segment[]
}

const callEnd = '</tool_call>'
const head = /^<tool_call>\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:/s

export const createToolCallParser = (): ToolCallParser => {
  let place: 'head' | 'arguments' | 'tail' = 'head'
  let held = ''
  const value = createValueEnd()

  const readHead = (segments: Segment[]): string | null => {
    const match = head.exec(held)
    const name = match === null ? null : nameOf(match[1] ?? '')
    if (match !== null && name !== null) {
      segments.push({ type: 'call', name, source: match[0] })
      held = held.slice(match[0].length)
      place = 'arguments'
      return readArguments(segments)
    }
    const end = held.indexOf(callEnd)
    if (end === -1) return null
    segments.push({ type: 'content', source: held.slice(0, end + callEnd.length) })
    return held.slice(end + callEnd.length)
  }

  const readArguments = (segments: Segment[]): string | null => {
    const blank = value.begun ? 0 : held.length - held.trimStart().length
    segments.push({ type: 'dropped', source: held.slice(0, blank) })
    const end = value.find(held.slice(blank))
    const until = end === -1 ? held.length : blank + end
    segments.push({ type: 'arguments', source: held.slice(blank, until) })
    held = held.slice(until)
    if (end === -1) return null
    place = 'tail'
    segments.push({ type: 'called', source: '' })
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
    push(piece) {
      held += piece
      const segments: Segment[] = []
      return { rest: read[place](segments), segments }
    },
    flush: () => [{ type: 'dropped', source: held }],
  }
}

const nameOf = (quoted: string): string | null => {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return null
  }
}

/** Finds the end of a JSON object or array in a text that arrives in pieces. */
const createValueEnd = () => {
  let depth = 0
  let inString = false
  let escaped = false
  let begun = false
  const step = (character: string): boolean => {
    begun = true
    if (inString) {
      if (escaped) escaped = false
      else if (character === '\\') escaped = true
      else if (character === '"') inString = false
      return false
    }
    if (character === '"') inString = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    return depth <= 0
  }
  return {
    get begun() {
      return begun
    },
    /** The place behind the value's last character; -1: not in this piece. */
    find(piece: string): number {
      for (let index = 0; index < piece.length; index += 1) if (step(piece[index] ?? '')) return index + 1
      return -1
    },
  }
}

import { isRecord } from '../../../../src/base/is-record.ts'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'

/** A line of a stream that is longer than this is none of ours. */
const maxLine = 100_000

/** Finds reasoning in a stream of any of the APIs. `add` returns what the next piece contributes to it. */
export const createReasoningReader = (): { add(piece: string): string } => {
  let line = ''
  return {
    add(piece) {
      const lines = `${line}${piece}`.split('\n')
      line = (lines.pop() ?? '').slice(0, maxLine)
      return lines.map(reasoningOf).join('')
    },
  }
}

const reasoningOf = (line: string): string => {
  // Most lines are no reasoning, and are not parsed.
  if (!line.startsWith('data: {') || !/reasoning|thinking/.test(line)) return ''
  const event = parse(line.slice('data: '.length))
  if (!isRecord(event)) return ''
  const { type, delta } = event
  if (typeof type === 'string' && /^response\.reasoning(_summary)?_text\.delta$/.test(type)) return textOf(delta)
  if (isRecord(delta) && delta.type === 'thinking_delta') return textOf(delta.thinking)
  const [choice] = Array.isArray(event.choices) ? event.choices : []
  return isRecord(choice) && isRecord(choice.delta) ? textOf(choice.delta.reasoning_content) : ''
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}

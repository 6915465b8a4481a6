import { isRecord } from '../../../../src/base/is-record.ts'
import { parseJsonText } from '../../../../src/base/parse-json-text.ts'
import type { Question } from '../../answer/use-answer.ts'

/** Of the request, not of the question: one answer is streamed here, and nothing is stored again. */
const leftOut = ['n', 'stream', 'stream_options', 'store', 'metadata']

/** A stored chat request as it can be asked again from the page; null if it is none. */
export const repeatableQuestion = (text: string): Question | null => {
  const request = parse(text)
  if (!isRecord(request) || typeof request.model !== 'string' || !Array.isArray(request.messages)) return null
  const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !leftOut.includes(name)))
  return { ...rest, model: request.model, messages: request.messages.filter(isRecord) }
}

const parse = (text: string): unknown => {
  try {
    return parseJsonText(text)
  } catch {
    return null
  }
}

import { isRecord } from '../../../../src/base/is-record.ts'
import type { Question } from '../../answer/use-answer.ts'
import type { RequestBody } from '../playground/opened/request-dialect.ts'

/** Of the request, not of the question: one answer is streamed here, and nothing is stored again. */
const leftOut = ['n', 'stream', 'stream_options', 'store', 'metadata']

/** A stored chat request as it can be asked again from the page; null if it is none. */
export const repeatableQuestion = (request: RequestBody): Question | null => {
  const { model, messages } = request
  if (typeof model !== 'string' || !Array.isArray(messages)) return null
  const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !leftOut.includes(name)))
  return { ...rest, model, messages: messages.filter(isRecord) }
}

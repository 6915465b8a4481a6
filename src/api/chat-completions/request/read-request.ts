import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { type GrammarJob, grammarJobOf } from '../compile/grammar-job.ts'
import { type ChatRequest, chatRequest } from './request.ts'
import { type SentBody, type SentBodyNeeds, sentBodyOf } from './sent-body.ts'

/** A request that was understood, with what is kept of its body. Plain data, so that it may come from another thread. */
export type ReceivedRequest = Omit<ChatRequest, 'grammar'> & { grammar: GrammarJob | null; sent: SentBody }

/** The bytes of a body as a request, or an `ApiError` that says what is wrong; the same on every thread. */
export const readRequest = (bytes: Uint8Array, needs: SentBodyNeeds): ReceivedRequest => {
  const value = parseJson(bytes)
  try {
    const request = chatRequest(value)
    const grammar = request.grammar === null ? null : grammarJobOf(request.grammar)
    return { ...request, grammar, sent: sentBodyOf(isObject(value) ? value : {}, request, needs) }
  } catch (error) {
    throw error instanceof Problem ? error.toApiError() : error
  }
}

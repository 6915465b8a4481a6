import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage } from '../../../engine/contract.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { type GrammarJob, grammarJobOf } from '../../generation/compile/grammar-job.ts'
import { nameOtherEndpoint } from '../../generation/name-other-endpoint.ts'
import { type ReadFields, readFields } from '../../generation/read-fields.ts'
import { type BodyExtracts, extractFromBody, type NeededExtracts } from './body-extracts.ts'
import { mentionsJson, withJsonInstruction } from './json-instruction.ts'
import { type ChatRequest, chatRequest } from './request.ts'

/** A valid request, with what is kept of its body. Plain data, so that it can come from another thread. */
export type ReceivedRequest = Omit<ChatRequest, 'grammar'> & { grammar: GrammarJob | null } & BodyExtracts &
  Pick<ReadFields<unknown>, 'ignoredFields'>

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export const readRequest = (bytes: Uint8Array, needs: NeededExtracts): ReceivedRequest => {
  const value = parseJson(bytes)
  try {
    const { value: asked, ignoredFields } = readFields(needs, () => chatRequest(value))
    const request = { ...asked, messages: messagesOf(asked, needs) }
    const grammar = request.grammar === null ? null : grammarJobOf(request.grammar, needs.strict)
    return { ...request, grammar, ignoredFields, ...extractFromBody(isObject(value) ? value : {}, request, needs) }
  } catch (error) {
    throw nameOtherEndpoint(error, value, 'chat')
  }
}

const messagesOf = ({ messages, format }: ChatRequest, { strict }: NeededExtracts): ChatMessage[] => {
  if (!format.wantsWord) return messages
  if (strict && !mentionsJson(messages)) throw ApiError.of('missing_json_word', {}, { param: 'messages' })
  return withJsonInstruction(messages)
}

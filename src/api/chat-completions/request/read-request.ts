import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage } from '../../../engine/contract.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { nameOtherEndpoint } from '../../generation/name-other-endpoint.ts'
import { readFields } from '../../generation/read-fields.ts'
import { type ReceivedRequest, receivedOf } from '../../generation/received-of.ts'
import { shortenedTexts } from '../../generation/shortened-texts.ts'
import { extractFromBody, type NeededExtracts } from './body-extracts.ts'
import { mentionsJson, withJsonInstruction } from './json-instruction.ts'
import { type ChatRequest, chatRequest } from './request.ts'

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export const readRequest = (bytes: Uint8Array, needs: NeededExtracts): ReceivedRequest => {
  const value = parseJson(bytes, shortenedTexts(needs))
  try {
    const { value: asked, ignoredFields } = readFields(needs, () => chatRequest(value))
    const request = { ...asked, messages: messagesOf(asked, needs) }
    return {
      ...receivedOf(request, extractFromBody(isObject(value) ? value : {}, request, needs), needs),
      ignoredFields,
    }
  } catch (error) {
    throw nameOtherEndpoint(error, value, 'chat')
  }
}

const messagesOf = ({ messages, format }: ChatRequest, { strict }: NeededExtracts): ChatMessage[] => {
  if (!format.wantsWord) return messages
  if (strict && !mentionsJson(messages)) throw ApiError.of('missing_json_word', {}, { param: 'messages' })
  return withJsonInstruction(messages)
}

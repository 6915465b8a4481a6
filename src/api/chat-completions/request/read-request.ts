import { ApiError } from '../../../base/api-error.ts'
import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { hasMediaIn, type NeededExtracts } from '../../generation/request/body-extracts.ts'
import type { GenerationRequest } from '../../generation/request/generation-request.ts'
import { mentionsJson, withJsonInstruction } from '../../generation/request/json-instruction.ts'
import { nameOtherEndpoint } from '../../generation/request/name-other-endpoint.ts'
import { readFields } from '../../generation/request/read-fields.ts'
import { shortenedTexts } from '../../generation/request/shortened-texts.ts'
import { toGenerationRequest } from '../../generation/request/to-generation-request.ts'
import { type ChatOptions, type ChatRequest, chatRequest } from './request.ts'
import { readStoredParts, type StoredParts } from './stored-parts.ts'

/** `storedParts`: null without `store`. */
export type ReceivedChatRequest = GenerationRequest & { chat: ChatOptions; storedParts: StoredParts | null }

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export const readRequest = (bytes: Uint8Array, needs: NeededExtracts): ReceivedChatRequest => {
  const value = parseJson(bytes, shortenedTexts(needs))
  try {
    const { value: asked, ignoredFields } = readFields(needs, () => chatRequest(value))
    const { chat, ...request } = { ...asked, prompt: requireJsonWord(asked, needs) }
    const sent = isObject(value) ? value : {}
    return {
      ...toGenerationRequest(request, { sent, ignoredFields }, needs),
      chat,
      storedParts: request.store ? readStoredParts(sent, hasMediaIn(request.prompt)) : null,
    }
  } catch (error) {
    throw nameOtherEndpoint(error, value, 'chat')
  }
}

const requireJsonWord = ({ prompt, chat }: ChatRequest, { strict }: NeededExtracts): ChatRequest['prompt'] => {
  if (!chat.wantsWord) return prompt
  if (strict && !mentionsJson(prompt.messages)) throw ApiError.of('missing_json_word', {}, { param: 'messages' })
  return { ...prompt, messages: withJsonInstruction(prompt.messages) }
}

import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import type { NeededExtracts } from '../../generation/request/body-extracts.ts'
import type { GenerationRequest } from '../../generation/request/generation-request.ts'
import { nameOtherEndpoint } from '../../generation/request/name-other-endpoint.ts'
import { readFields } from '../../generation/request/read-fields.ts'
import { shortenedTexts } from '../../generation/request/shortened-texts.ts'
import { toGenerationRequest } from '../../generation/request/to-generation-request.ts'
import { messagesRequest } from './messages-request.ts'
import { nativeMessages } from './native-messages.ts'

/** `isCounted`: the tokens of the prompt are only counted, so the request needs no token limit. */
export type MessagesNeeds = NeededExtracts & { isCounted?: boolean }

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export const readMessagesRequest = (bytes: Uint8Array, needs: MessagesNeeds): GenerationRequest => {
  const parsed = parseJson(bytes, shortenedTexts(needs))
  const sent = isObject(parsed) ? parsed : {}
  try {
    const body = needs.isCounted && isObject(parsed) ? { max_tokens: countedTokens, ...sent } : parsed
    const { value: request, ignoredFields } = readFields(needs, () => messagesRequest(body))
    const isUpstream = needs.upstreamModels?.has(request.model) ?? false
    const native = isUpstream ? nativeMessages(sent, bytes) : undefined
    const { prompt } = request
    const asked =
      native === undefined || prompt.type !== 'chat' ? request : { ...request, prompt: { ...prompt, native } }
    return toGenerationRequest(asked, { sent, hashed: ['messages', sent], ignoredFields }, needs)
  } catch (error) {
    throw nameOtherEndpoint(error, parsed, 'messages')
  }
}

/** Larger than every budget for thinking. */
const countedTokens = Number.MAX_SAFE_INTEGER

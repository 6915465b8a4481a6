import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { extractFromBody, type NeededExtracts } from '../../chat-completions/request/body-extracts.ts'
import type { ReceivedRequest } from '../../chat-completions/request/read-request.ts'
import { grammarJobOf } from '../../generation/compile/grammar-job.ts'
import { nameOtherEndpoint } from '../../generation/name-other-endpoint.ts'
import { readFields } from '../../generation/read-fields.ts'
import { messagesRequest } from './messages-request.ts'

/** `isCounted`: the tokens of the prompt are only counted, so the request needs no token limit. */
export type MessagesNeeds = NeededExtracts & { isCounted?: boolean }

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export const readMessagesRequest = (bytes: Uint8Array, needs: MessagesNeeds): ReceivedRequest => {
  const parsed = parseJson(bytes)
  const sent = isObject(parsed) ? parsed : {}
  try {
    const body = needs.isCounted && isObject(parsed) ? { max_tokens: countedTokens, ...sent } : parsed
    const { value: request, ignoredFields } = readFields(needs, () => messagesRequest(body))
    const grammar = request.grammar === null ? null : grammarJobOf(request.grammar, needs.strict)
    return { ...request, grammar, ignoredFields, ...extractFromBody(sent, request, needs, ['messages', sent]) }
  } catch (error) {
    throw nameOtherEndpoint(error, parsed, 'messages')
  }
}

/** Above every budget for thinking. */
const countedTokens = Number.MAX_SAFE_INTEGER

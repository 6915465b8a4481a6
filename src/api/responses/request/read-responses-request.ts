import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { discardUnknown } from '../../../http/schema/unknown-fields.ts'
import type { NeededExtracts } from '../../generation/request/body-extracts.ts'
import type { GenerationRequest } from '../../generation/request/generation-request.ts'
import { nameOtherEndpoint } from '../../generation/request/name-other-endpoint.ts'
import { readFields } from '../../generation/request/read-fields.ts'
import { toGenerationRequest } from '../../generation/request/to-generation-request.ts'
import { hasMedia, itemsJson } from '../items.ts'
import { countedResponsesBody, promptFields } from './responses-body.ts'
import { type ResponseOptions, type ResponsesRequest, responsesRequest } from './responses-request.ts'

/** Its messages are empty until the conversation that it continues is known. */
export type ReceivedResponsesRequest = GenerationRequest & {
  response: ResponseOptions & {
    /** JSON text of the items of this request, computed where the body is parsed. */
    inputJson: string
    /** Whether requests that the official service refuses are refused. */
    isStrict: boolean
  }
}

/** `isCounted`: the tokens of the prompt are only counted, so only fields that concern it are allowed. */
export type ResponsesNeeds = NeededExtracts & { isCounted?: boolean }

/** Parses and validates a body, with the same result on every thread. Throws an `ApiError` that says what is wrong. */
export const readResponsesRequest = (bytes: Uint8Array, needs: ResponsesNeeds): ReceivedResponsesRequest => {
  const value = parseJson(bytes)
  try {
    const { value: request, ignoredFields } = readFields(needs, () =>
      needs.isCounted ? countedRequest(value) : responsesRequest(value),
    )
    const { generation, options } = request
    const sent = isObject(value) ? value : {}
    const body = { sent, hashed: ['responses', sent], hasMedia: hasMedia(options.input), ignoredFields }
    const inputJson = itemsJson(options.input)
    return {
      ...toGenerationRequest(generation, body, needs),
      response: { ...options, inputJson, isStrict: needs.strict },
    }
  } catch (error) {
    throw nameOtherEndpoint(error, value, 'responses')
  }
}

/** Fields that do not concern the prompt are unknown here, whatever their values. */
const countedRequest = (value: unknown): ResponsesRequest => {
  countedResponsesBody(value)
  const sent = Object.entries(isObject(value) ? value : {}).filter(([name]) => Object.hasOwn(promptFields, name))
  return discardUnknown(() => responsesRequest(Object.fromEntries(sent)))
}

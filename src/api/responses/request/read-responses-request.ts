import { parseJson } from '../../../http/parse-json.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { discardUnknown } from '../../../http/schema/unknown-fields.ts'
import type { NeededExtracts } from '../../generation/request/body-extracts.ts'
import type { GenerationRequest } from '../../generation/request/generation-request.ts'
import { nameOtherEndpoint } from '../../generation/request/name-other-endpoint.ts'
import { readFields } from '../../generation/request/read-fields.ts'
import { toGenerationRequest } from '../../generation/request/to-generation-request.ts'
import { hasMedia, itemsJson } from '../items-json.ts'
import { buildPrompt, furtherBytes, wholeConversation } from './build-prompt.ts'
import { countedResponsesBody, promptFields } from './responses-body.ts'
import { type ResponseOptions, type ResponsesRequest, readResponses, responsesRequest } from './responses-request.ts'
import { bodyWithoutSecrets } from './without-secrets.ts'

export type ReceivedResponsesRequest = GenerationRequest & {
  response: ResponseOptions & {
    /** Its prompt has all messages. Otherwise it has none until the stored items that it refers to are known. */
    isWhole: boolean
    /** JSON text of the items of this request, computed where the body is parsed; empty if it is not stored. */
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
      needs.isCounted
        ? countedRequest(value)
        : readResponses(value, (model) => needs.responsesModels?.get(model) ?? null),
    )
    const { generation, options } = request
    const sent = isObject(value) ? value : {}
    const shown = needs.copy ? bodyWithoutSecrets(sent) : sent
    const body = { sent: shown, hashed: ['responses', sent], hasMedia: hasMedia(options.input), ignoredFields }
    const inputJson = options.store === false ? '' : itemsJson(options.input)
    const isStrict = needs.strict
    const items = wholeConversation(options)
    const prompt = items === null ? generation.prompt : buildPrompt({ ...options, isStrict }, items)
    const received = toGenerationRequest({ ...generation, prompt }, body, needs)
    return {
      ...received,
      promptBytes: received.promptBytes + furtherBytes(prompt),
      // The messages of a whole conversation are all that is needed of its items.
      response: {
        ...options,
        input: items === null ? options.input : [],
        isWhole: items !== null,
        inputJson,
        isStrict,
      },
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

import type { ReaderOf } from '../../http/body-readers.ts'
import { countPromptTokens } from '../generation/prompt/count-prompt-tokens.ts'
import type { PromptEndpoint } from '../generation/prompt-handler.ts'
import type { ReceivedResponsesRequest, readResponsesRequest } from './request/read-responses-request.ts'
import type { ResolveConversation } from './resolve-conversation.ts'

type InputTokensDependencies = {
  reader: ReaderOf<typeof readResponsesRequest>
  resolve: ResolveConversation
}

/** `POST /v1/responses/input_tokens`, with the conversation that the request continues. */
export const createInputTokens = ({
  reader,
  resolve,
}: InputTokensDependencies): PromptEndpoint<ReceivedResponsesRequest> => ({
  async read(blocks, { caller, strict, exchange }) {
    const needs = { hash: false, copy: false, strict, isCounted: true }
    const request = await reader.read(blocks, { ownerId: caller.ownerId, needs, exchange })
    return resolve(request, caller)
  },
  answer: async (request, engine, caller, signal) => ({
    object: 'response.input_tokens',
    input_tokens: await countPromptTokens(request, engine, caller, signal),
  }),
})

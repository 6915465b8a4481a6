import type { ReaderOf } from '../../http/body-readers.ts'
import { countPromptTokens } from '../generation/prompt/count-prompt-tokens.ts'
import type { PromptEndpoint } from '../generation/prompt-handler.ts'
import type { GenerationRequest } from '../generation/request/generation-request.ts'
import type { readMessagesRequest } from './request/read-messages-request.ts'

/** `POST /v1/messages/count_tokens` */
export const createCountTokens = (reader: ReaderOf<typeof readMessagesRequest>): PromptEndpoint<GenerationRequest> => ({
  read: (blocks, { caller: { ownerId }, strict, exchange }) =>
    reader.read(blocks, { ownerId, needs: { hash: false, copy: false, strict, isCounted: true }, exchange }),
  answer: async (request, engine, caller, signal) => ({
    input_tokens: await countPromptTokens(request, engine, caller, signal),
  }),
})

import type { CompletionRecords } from '../../store/contract.ts'
import { storedCompletionJson } from '../stored-completions/stored-completion-json.ts'
import type { ChatRequest } from './request/request.ts'
import type { CompletionJson } from './shapes.ts'

type Stored = {
  completion: CompletionJson
  request: ChatRequest
  requestId: string
  organisationId: string
  createdAt: number
}

/** Keeps a finished completion together with what was asked for. */
export const storeCompletion = (records: CompletionRecords, stored: Stored): Promise<void> => {
  const { completion, request, requestId, organisationId, createdAt } = stored
  const { sent } = request
  return records.insert({
    id: completion.id,
    organisationId,
    createdAt,
    model: completion.model,
    metadata: request.metadata,
    completion: storedCompletionJson({
      completion,
      requestId,
      echoes: {
        toolChoice: sent.tool_choice,
        seed: numberOrNull(sent.seed),
        topP: numberOrNull(sent.top_p),
        temperature: numberOrNull(sent.temperature),
        presencePenalty: numberOrNull(sent.presence_penalty),
        frequencyPenalty: numberOrNull(sent.frequency_penalty),
        inputUser: typeof sent.user === 'string' ? sent.user : null,
        tools: sent.tools,
        responseFormat: sent.response_format,
      },
    }),
    messages: JSON.stringify(sent.messages),
  })
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

import type { CompletionRecords } from '../../store/contract.ts'
import { storedCompletionJson } from '../stored-completions/stored-completion-json.ts'
import type { ReceivedRequest } from './request/read-request.ts'
import type { CompletionJson } from './shapes.ts'

type Stored = {
  completion: CompletionJson
  request: ReceivedRequest
  requestId: string
  organisationId: string
  createdAt: number
}

/** Keeps a finished completion together with what was asked for. */
export const storeCompletion = (records: CompletionRecords, stored: Stored): Promise<void> => {
  const { completion, request, requestId, organisationId, createdAt } = stored
  const { messages, echoes } = requireStored(request)
  return records.insert({
    id: completion.id,
    organisationId,
    createdAt,
    model: completion.model,
    metadata: request.metadata,
    completion: storedCompletionJson({ completion, requestId, echoes }),
    messages,
  })
}

/** What was asked was kept when the body was read, because the request said that it is to be stored. */
const requireStored = ({ sent: { stored } }: ReceivedRequest) => {
  if (stored === null) throw new Error('the request did not ask for its completion to be stored')
  return stored
}

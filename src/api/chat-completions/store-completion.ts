import type { CompletionRecords } from '../../store/contract.ts'
import { storedCompletionJson } from '../stored-completions/stored-completion-json.ts'
import type { StoredParts } from './request/body-extracts.ts'
import type { ChatRequest } from './request/request.ts'
import type { CompletionJson } from './shapes.ts'

type StoredRequest = Pick<ChatRequest, 'metadata'> & {
  storedParts: StoredParts
  requestId: string
  organisationId: string
}

/** Stores a finished completion together with the messages that it answers. */
export const storeCompletion = (
  records: Pick<CompletionRecords, 'insert'>,
  { storedParts: { messages, echoes }, metadata, requestId, organisationId }: StoredRequest,
  completion: CompletionJson,
  createdAt: number,
): Promise<void> =>
  records.insert({
    id: completion.id,
    organisationId,
    createdAt,
    model: completion.model,
    metadata,
    completion: storedCompletionJson({ completion, requestId, echoes }),
    messages,
  })

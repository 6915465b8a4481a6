import { isObject } from '../../http/schema/containers.ts'
import { named, schema } from '../../http/schema/schema.ts'
import type { Operation, Operations } from '../../operations/operation.ts'
import { chatOperations } from '../chat-completions/operations.ts'
import { completionsOperations } from '../completions/operations.ts'
import { embeddingsOperations } from '../embeddings/operations.ts'
import { ownKeyOperations } from '../key/operations.ts'
import { keyOperations } from '../keys/operations.ts'
import { messageOperations } from '../messages/operations.ts'
import { modelOperations } from '../models/operations.ts'
import { moderationOperations } from '../moderations/operations.ts'
import { get } from '../operation.ts'
import { rerankOperations } from '../rerank/operations.ts'
import { responseOperations } from '../responses/operations.ts'
import { storedCompletionOperations } from '../stored-completions/operations.ts'
import { tokenOperations } from '../tokenize/operations.ts'
import { usageOperations } from '../usage/operations.ts'

export const openapiOperations = {
  getOpenapi: get('/openapi.json', { access: 'anyone' }, 'Returns this OpenAPI document.', {
    answer: named(
      'OpenapiDocument',
      schema({ type: 'object' }, (value) => (isObject(value) ? value : {})),
    ),
  }),
}

/** All of `/v1`, in the order of the document. */
const apiOperations: Operations = {
  ...chatOperations,
  ...storedCompletionOperations,
  ...responseOperations,
  ...completionsOperations,
  ...moderationOperations,
  ...messageOperations,
  ...embeddingsOperations,
  ...rerankOperations,
  ...tokenOperations,
  ...modelOperations,
  ...ownKeyOperations,
  ...keyOperations,
  ...usageOperations,
  ...openapiOperations,
}

export type ListedOperation = Operation & { id: string; needsKey: boolean }

export const operations: readonly ListedOperation[] = Object.entries(apiOperations).map(([id, operation]) => ({
  ...operation,
  id,
  needsKey: operation.access.access === 'key',
}))

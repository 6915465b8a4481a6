import { newId } from '../../base/ids.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import type { ResponseRecords } from '../../store/response-contract.ts'
import type { Dialect } from '../generation/dialect.ts'
import type { ReceivedResponsesRequest, readResponsesRequest } from './request/read-responses-request.ts'
import type { ResolveConversation } from './resolve-conversation.ts'
import { openResponseFormatter } from './response-formatter.ts'
import type { ResponseJson } from './response-json.ts'
import { createResponseStorage } from './response-storage.ts'

type DialectDependencies = {
  reader: ReaderOf<typeof readResponsesRequest>
  resolve: ResolveConversation
  responses: Pick<ResponseRecords, 'insert'>
}

/** `POST /v1/responses` */
export const createResponsesDialect = ({
  reader,
  resolve,
  responses,
}: DialectDependencies): Dialect<ReceivedResponsesRequest, ResponseJson> => ({
  endpoint: 'responses',
  reader,
  newAnswerId: () => newId('resp'),
  headers: ({ response }) => ignoredToolsHeader(response.ignoredTools),
  resolve,
  openFormatter: openResponseFormatter,
  storage: createResponseStorage(responses),
})

const maxListed = 32

/** Types of tools are any text that a client sends. */
const ignoredToolsHeader = (types: readonly string[]): Record<string, string> => {
  const names = types.slice(0, maxListed).map((type) => type.slice(0, 64).replace(/[^\w.-]/g, '_'))
  return names.length === 0 ? {} : { 'x-helix-ignored-tools': names.join(', ') }
}

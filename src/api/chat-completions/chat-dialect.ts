import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import type { CompletionRecords } from '../../store/contract.ts'
import type { Dialect } from '../generation/dialect.ts'
import { openChatFormatter } from './chat-formatter.ts'
import { createCompletionStorage } from './completion-storage.ts'
import type { ReceivedChatRequest, readRequest } from './request/read-request.ts'
import type { CompletionJson } from './shapes.ts'

type ChatDialectDependencies = {
  reader: ReaderOf<typeof readRequest>
  completions: Pick<CompletionRecords, 'insert'>
  clock: Clock
}

/** `POST /v1/chat/completions`. */
export const createChatDialect = ({
  reader,
  ...dependencies
}: ChatDialectDependencies): Dialect<ReceivedChatRequest, CompletionJson> => ({
  endpoint: 'chat.completions',
  writesPieces: true,
  reader,
  newAnswerId: () => newId('chatcmpl'),
  openFormatter: openChatFormatter,
  storage: createCompletionStorage(dependencies),
})

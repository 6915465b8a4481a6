import type { Clock } from '../../../base/clock.ts'
import { type BodyReader, openBodyReader } from '../../../http/body-reader.ts'
import type { GenerationRequest } from '../../generation/request/generation-request.ts'
import { type MessagesNeeds, readMessagesRequest } from './read-messages-request.ts'

export type MessagesRequestReader = BodyReader<MessagesNeeds, GenerationRequest>

type ReaderOptions = { clock: Clock; bodyLimitBytes: number }

/** Reads requests to `POST /v1/messages`. */
export const openMessagesRequestReader = ({ clock, bodyLimitBytes }: ReaderOptions): MessagesRequestReader =>
  openBodyReader({
    name: 'read-messages',
    read: readMessagesRequest,
    threadFile: new URL('./messages-request-thread.ts', import.meta.url),
    clock,
    bodyLimitBytes,
  })

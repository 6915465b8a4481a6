import type { Clock } from '../../../base/clock.ts'
import { type BodyReader, openBodyReader } from '../../../http/body-reader.ts'
import { type ReceivedResponsesRequest, type ResponsesNeeds, readResponsesRequest } from './read-responses-request.ts'

export type ResponsesRequestReader = BodyReader<ResponsesNeeds, ReceivedResponsesRequest>

type ReaderOptions = { clock: Clock; bodyLimitBytes: number }

export const openResponsesRequestReader = ({ clock, bodyLimitBytes }: ReaderOptions): ResponsesRequestReader =>
  openBodyReader({
    name: 'read-responses-request',
    read: readResponsesRequest,
    threadFile: new URL('./responses-request-thread.ts', import.meta.url),
    clock,
    bodyLimitBytes,
  })

import type { Clock } from '../../../base/clock.ts'
import { type BodyReader, openBodyReader } from '../../../http/body-reader.ts'
import type { NeededExtracts } from '../../generation/request/body-extracts.ts'
import { type ReceivedChatRequest, readRequest } from './read-request.ts'

export type RequestReader = BodyReader<NeededExtracts, ReceivedChatRequest>

type ReaderOptions = { clock: Clock; bodyLimitBytes: number; inlineBytes?: number }

/** Reads chat requests. */
export const openRequestReader = ({ clock, bodyLimitBytes, inlineBytes }: ReaderOptions): RequestReader =>
  openBodyReader({
    name: 'read-request',
    read: readRequest,
    threadFile: new URL('./request-thread.ts', import.meta.url),
    clock,
    bodyLimitBytes,
    inlineBytes,
  })

import type { Clock } from '../../../base/clock.ts'
import { type BodyReader, openBodyReader } from '../../../http/body-reader.ts'
import type { NeededExtracts } from '../../generation/request/body-extracts.ts'
import { type CompletionsRequest, readCompletionsRequest } from './read-completions-request.ts'

export type CompletionsRequestReader = BodyReader<NeededExtracts, CompletionsRequest>

/** Reads requests to `POST /v1/completions`. */
export const openCompletionsRequestReader = ({
  clock,
  bodyLimitBytes,
}: {
  clock: Clock
  bodyLimitBytes: number
}): CompletionsRequestReader =>
  openBodyReader({
    name: 'read-completions',
    read: readCompletionsRequest,
    threadFile: new URL('./completions-request-thread.ts', import.meta.url),
    clock,
    bodyLimitBytes,
  })

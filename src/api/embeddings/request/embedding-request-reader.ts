import type { Clock } from '../../../base/clock.ts'
import { type BodyReader, openBodyReader } from '../../../http/body-reader.ts'
import { type EmbeddingNeeds, type EmbeddingRequest, readEmbeddingRequest } from './read-embedding-request.ts'

export type EmbeddingRequestReader = BodyReader<EmbeddingNeeds, EmbeddingRequest>

type ReaderOptions = { clock: Clock; bodyLimitBytes: number; inlineBytes?: number }

/** Reads requests for embeddings. */
export const openEmbeddingRequestReader = (options: ReaderOptions): EmbeddingRequestReader =>
  openBodyReader({
    name: 'read-embedding-request',
    read: readEmbeddingRequest,
    threadFile: new URL('./embedding-request-thread.ts', import.meta.url),
    ...options,
  })

import { createExecuteEmbeddings } from '../api/embeddings/execute-embeddings.ts'
import { createEmbeddings, type Embeddings } from '../api/embeddings/handler.ts'
import { openEmbeddingRequestReader } from '../api/embeddings/request/embedding-request-reader.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { Models } from '../models/contract.ts'
import type { BodyWriter } from '../usage/body-writer.ts'
import type { Ledger } from '../usage/ledger-contract.ts'
import type { Closers } from './closers.ts'

type EmbeddingsOptions = {
  config: Config
  clock: Clock
  models: Models
  limiter: Pick<Limiter, 'precheck'>
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  closers: Closers
}

/** The handler of `POST /v1/embeddings`, with the thread that reads large requests. */
export const openEmbeddings = (options: EmbeddingsOptions): Embeddings => {
  const { config, clock, models, limiter, ledger, bodies, closers } = options
  const { bodyLimitBytes, generationTimeoutMs, answerLimitBytes } = config
  const requestReader = openEmbeddingRequestReader({ bodyLimitBytes, clock })
  closers.add(() => requestReader.close())
  return createEmbeddings({
    models,
    limiter,
    requestReader,
    bodies,
    execute: createExecuteEmbeddings({ ledger, bodies, clock, answerLimitBytes }),
    clock,
    bodyLimitBytes,
    generationTimeoutMs,
    answerLimitBytes,
    strictRequests: config.strictRequests,
  })
}

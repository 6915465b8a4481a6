import type { ApiBodyReaders } from '../api/bodies/api-body-readers.ts'
import { createExecuteEmbeddings } from '../api/embeddings/execute-embeddings.ts'
import { createEmbeddings, type Embeddings } from '../api/embeddings/handler.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { Models } from '../models/contract.ts'
import type { BodyWriter } from '../usage/body-writer.ts'
import type { Ledger } from '../usage/ledger-contract.ts'

type EmbeddingsOptions = {
  config: Config
  clock: Clock
  models: Models
  limiter: Pick<Limiter, 'precheck'>
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  readers: ApiBodyReaders
}

/** The handler of `POST /v1/embeddings`. */
export const openEmbeddings = (options: EmbeddingsOptions): Embeddings => {
  const { config, clock, models, limiter, ledger, bodies, readers } = options
  const { bodyLimitBytes, generationTimeoutMs, answerLimitBytes } = config
  return createEmbeddings({
    models,
    limiter,
    reader: readers.reader('embeddings'),
    bodies,
    execute: createExecuteEmbeddings({ ledger, bodies, clock, answerLimitBytes }),
    clock,
    bodyLimitBytes,
    generationTimeoutMs,
    answerLimitBytes,
    strictRequests: config.strictRequests,
  })
}

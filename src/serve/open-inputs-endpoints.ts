import type { ApiBodyReaders } from '../api/bodies/api-body-readers.ts'
import { createEmbeddingsEndpoint } from '../api/embeddings/embeddings-endpoint.ts'
import type { Elsewhere } from '../api/generation/accept/accept-request.ts'
import type { Hooks } from '../api/generation/hooks/open-hooks.ts'
import { createExecuteInputs } from '../api/inputs/execute-inputs.ts'
import type { InputsEndpoint, InputsRequest } from '../api/inputs/inputs-endpoint.ts'
import { createInputsHandler, type InputsHandler } from '../api/inputs/inputs-handler.ts'
import { createRerankEndpoint } from '../api/rerank/rerank-endpoint.ts'
import { createScoreEndpoint } from '../api/rerank/score-endpoint.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { Models } from '../models/contract.ts'
import type { BodyWriter } from '../usage/body-writer.ts'
import type { Ledger } from '../usage/ledger-contract.ts'

type InputsEndpointsOptions = {
  config: Config
  clock: Clock
  models: Pick<Models, 'list' | 'find'>
  limiter: Pick<Limiter, 'precheck'>
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  readers: ApiBodyReaders
  /** Absent: there are none. */
  hooks?: Hooks | undefined
  /** Only in a worker. */
  elsewhere?: Elsewhere
}

export type InputsHandlers = { embeddings: InputsHandler; rerank: InputsHandler; score: InputsHandler }

/** The handlers of `POST /v1/embeddings`, `/v1/rerank` and `/v1/score`. */
export const openInputsEndpoints = (options: InputsEndpointsOptions): InputsHandlers => {
  const { config, clock, models, limiter, ledger, bodies, readers, hooks, elsewhere } = options
  const { bodyLimitBytes, generationTimeoutMs, answerLimitBytes, strictRequests } = config
  const open = <Request extends InputsRequest, Result>(endpoint: InputsEndpoint<Request, Result>): InputsHandler =>
    createInputsHandler(endpoint, {
      ...{ models, limiter, bodies, clock, bodyLimitBytes, generationTimeoutMs, strictRequests, hooks },
      ...(elsewhere === undefined ? {} : { elsewhere }),
      execute: createExecuteInputs(endpoint, { ledger, bodies, clock }),
    })
  return {
    embeddings: open(
      createEmbeddingsEndpoint({
        ...{ reader: readers.reader('embeddings'), writer: readers.reader('vectors'), answerLimitBytes },
      }),
    ),
    rerank: open(createRerankEndpoint(readers.reader('rerank'))),
    score: open(createScoreEndpoint(readers.reader('score'), clock)),
  }
}

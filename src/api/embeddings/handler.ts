import type { Clock } from '../../base/clock.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import { type AcceptDependencies, acceptRequest, type ModelEndpoint } from '../generation/accept/accept-request.ts'
import type { CompletionCaller } from '../generation/completion-caller.ts'
import { withDeadline } from '../generation/delivery/deadline.ts'
import type { ExecuteEmbeddings } from './execute-embeddings.ts'
import { refuseImpossible } from './refuse-impossible.ts'
import type { EmbeddingRequest, readEmbeddingRequest } from './request/read-embedding-request.ts'

/** `POST /v1/embeddings`: accepts a request and has it executed, in the same steps as a chat completion. */
export type EmbeddingsDependencies = AcceptDependencies & {
  reader: ReaderOf<typeof readEmbeddingRequest>
  bodies: Pick<BodyWriter, 'isKept'>
  execute: ExecuteEmbeddings
  clock: Clock
  generationTimeoutMs: number
  answerLimitBytes: number
}

export type Embeddings = (exchange: Exchange, caller: CompletionCaller) => Promise<void>

export const createEmbeddings = (dependencies: EmbeddingsDependencies): Embeddings => {
  const { reader, bodies, execute, clock, generationTimeoutMs, answerLimitBytes } = dependencies
  // An Idempotency-Key has no effect: the same inputs have the same vectors.
  const endpoint: ModelEndpoint<EmbeddingRequest> = {
    kind: 'embedding',
    read: (blocks, { caller: { organisationId, ownerId }, strict, exchange }) =>
      reader.read(blocks, { ownerId, needs: { copy: bodies.isKept(organisationId), strict }, exchange }),
    check: (request, model) => refuseImpossible(request, model, answerLimitBytes),
  }
  return (exchange, caller) =>
    acceptRequest(exchange, caller, endpoint, dependencies, (accepted) =>
      withDeadline(exchange.signal, generationTimeoutMs, clock, (signal) =>
        execute({ ...accepted, exchange, caller, signal }),
      ),
    )
}

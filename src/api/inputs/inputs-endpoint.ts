import type { InputOptions, ModelInputs, ModelKind, ServedModel } from '../../engine/contract.ts'
import type { ReaderOf, ReadingExchange } from '../../http/body-readers.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { StoredText } from '../../store/body-contract.ts'
import type { Endpoint } from '../../store/ledger-contract.ts'
import type { ModelRequest } from '../generation/accept/accept-request.ts'
import type { FieldNeeds } from '../generation/request/read-fields.ts'

/** `bodyCopy`: for the request log; null if the organisation keeps no bodies. */
export type InputsRequest = ModelRequest & { bodyCopy: StoredText | null }
export type InputsNeeds = { copy: boolean } & FieldNeeds

/** An endpoint whose answer is computed from inputs, without generating text: embeddings, rerank and score. */
export type InputsEndpoint<Request extends InputsRequest, Result> = {
  /** In the ledger. */
  name: Endpoint
  kind: ModelKind
  reader: ReaderOf<(bytes: Uint8Array, needs: InputsNeeds) => Request>
  /** Refuses what the model cannot do. While that is unknown nothing is refused. */
  check?(request: Request, model: ServedModel): void
  /** Fields that have no effect on this model. */
  ignores?(request: Request, model: ServedModel): readonly string[]
  inputs(request: Request, model: ServedModel): ModelInputs
  inputOptions?(request: Request): InputOptions
  /** The same request with each of its texts as `map` returns it, in order. Token ids stay. */
  mapTexts(request: Request, map: MapText): Request
  /** All vectors or scores, in the form in which they are sent. */
  collect(
    computed: AsyncIterable<Float32Array>,
    request: Request,
    model: ServedModel,
    caller: { ownerId: string; exchange: ReadingExchange },
  ): Promise<Result>
  send(exchange: Exchange, result: Result, answered: Answered<Request>): Promise<void> | void
}

/** `role`: what the text is, for hooks. */
export type MapText = (text: string, role: 'user' | 'document') => string

/** `promptTokens`: as they are billed. */
type Answered<Request> = { request: Request; model: ServedModel; promptTokens: number }

import { freeBuffer } from '../../base/free-buffer.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import { sendPieces } from '../../http/send-pieces.ts'
import type { InputsEndpoint } from '../inputs/inputs-endpoint.ts'
import { embeddingListEnds, type writeEntries } from './embeddings-json.ts'
import { refuseImpossible } from './refuse-impossible.ts'
import type { EmbeddingRequest, readEmbeddingRequest } from './request/read-embedding-request.ts'
import { withPrefixes } from './with-prefixes.ts'

type EmbeddingsOptions = {
  reader: ReaderOf<typeof readEmbeddingRequest>
  /** Writes many numbers on the thread that reads long bodies, and few where it is called. */
  writer: ReaderOf<typeof writeEntries>
  answerLimitBytes: number
}

/** `POST /v1/embeddings` */
export const createEmbeddingsEndpoint = ({
  reader,
  writer,
  answerLimitBytes,
}: EmbeddingsOptions): InputsEndpoint<EmbeddingRequest, Uint8Array[]> => ({
  name: 'embeddings',
  kind: 'embedding',
  reader,
  check: (request, model) => refuseImpossible(request, model, answerLimitBytes),
  ignores: ({ inputType }, { prefixes }) => (inputType === null || prefixes !== undefined ? [] : ['input_type']),
  inputs: ({ inputs, inputType }, { prefixes }) => withPrefixes(inputs, inputType, prefixes),
  inputOptions: ({ maxTokens }) => ({ maxTokens }),
  mapTexts: (request, map) => ({
    ...request,
    inputs: request.inputs.map((one) => (typeof one === 'string' ? map(one, 'user') : one)),
  }),
  async collect(vectors, request, model, { ownerId, exchange }) {
    const { dimensions, encoding } = request
    const pieces: Uint8Array[] = []
    let first = 0
    for await (const some of inBatches(vectors)) {
      const length = some[0]?.length ?? 0
      // Of an upstream it is not known before.
      if (first === 0) refuseImpossible(request, { ...model, vectorLength: length }, answerLimitBytes)
      const needs = { first, length, model: model.id, dimensions, encoding }
      const bytes = joined(some)
      some.forEach(freeBuffer)
      pieces.push(await writer.read([bytes], { ownerId, needs, exchange }))
      first += some.length
    }
    return pieces
  },
  send(exchange, entries, { model, promptTokens }) {
    const [start, end] = embeddingListEnds(model.id, promptTokens)
    return sendPieces(exchange, [start, ...entries, end])
  },
})

/** How many numbers are written at once. */
const numbersAtOnce = 65_536

async function* inBatches(vectors: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array[], void> {
  let batch: Float32Array[] = []
  let numbers = 0
  for await (const vector of vectors) {
    batch.push(vector)
    numbers += vector.length
    if (numbers < numbersAtOnce) continue
    yield batch
    batch = []
    numbers = 0
  }
  if (batch.length > 0) yield batch
}

/** The bytes of all numbers, in memory of their own. */
const joined = (vectors: readonly Float32Array[]): Uint8Array<ArrayBuffer> => {
  const numbers = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const vector of vectors) {
    numbers.set(vector, at)
    at += vector.length
  }
  return new Uint8Array(numbers.buffer)
}

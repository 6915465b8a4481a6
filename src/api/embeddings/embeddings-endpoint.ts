import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ServedModel } from '../../engine/contract.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import { sendPieces } from '../../http/send-pieces.ts'
import type { InputsEndpoint } from '../inputs/inputs-endpoint.ts'
import { embeddingJson, embeddingListEnds } from './embeddings-json.ts'
import { refuseImpossible } from './refuse-impossible.ts'
import type { EmbeddingRequest, readEmbeddingRequest } from './request/read-embedding-request.ts'
import { shortenVector } from './shorten-vector.ts'
import { withPrefixes } from './with-prefixes.ts'

type EmbeddingsOptions = { reader: ReaderOf<typeof readEmbeddingRequest>; answerLimitBytes: number }

/** `POST /v1/embeddings` */
export const createEmbeddingsEndpoint = ({
  reader,
  answerLimitBytes,
}: EmbeddingsOptions): InputsEndpoint<EmbeddingRequest, string[]> => ({
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
  collect: (vectors, request, model) => writeEntries(vectors, request, model, answerLimitBytes),
  send(exchange, entries, { model, promptTokens }) {
    const [start, end] = embeddingListEnds(model.id, promptTokens)
    return sendPieces(exchange, [start, ...entries, end])
  },
})

/** How many numbers are written as text before other requests have their turn. */
const numbersPerTurn = 16_384

/** The entries of the response, separated by commas. */
const writeEntries = async (
  vectors: AsyncIterable<Float32Array>,
  request: EmbeddingRequest,
  model: ServedModel,
  answerLimitBytes: number,
): Promise<string[]> => {
  const { dimensions, encoding } = request
  const pieces: string[] = []
  let numbers = 0
  for await (const whole of vectors) {
    // Of an upstream it is not known before.
    if (pieces.length === 0) refuseImpossible(request, { ...model, vectorLength: whole.length }, answerLimitBytes)
    const vector = shortenVector(whole, dimensions, model)
    const entry = embeddingJson(pieces.length, vector, encoding)
    pieces.push(pieces.length === 0 ? entry : `,${entry}`)
    numbers += vector.length
    if (numbers < numbersPerTurn) continue
    numbers = 0
    await nextTurn()
  }
  return pieces
}

import type { ReaderOf } from '../../http/body-readers.ts'
import { sendJson } from '../../http/respond.ts'
import type { InputsEndpoint } from '../inputs/inputs-endpoint.ts'
import { mapPairs } from './map-pairs.ts'
import { readScores } from './read-scores.ts'
import type { RerankRequest, readRerankRequest } from './request/read-rerank-request.ts'

/** `POST /v1/rerank` */
export const createRerankEndpoint = (
  reader: ReaderOf<typeof readRerankRequest>,
): InputsEndpoint<RerankRequest, number[]> => ({
  name: 'rerank',
  kind: 'rerank',
  reader,
  inputs: ({ pairs }) => pairs,
  mapTexts: (request, map) => ({ ...request, pairs: mapPairs(request.pairs, map) }),
  collect: readScores,
  send(exchange, scores, { request, model, promptTokens }) {
    const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens }
    // Clients of Cohere's API read their usage there.
    const meta = { tokens: { input_tokens: promptTokens } }
    const document = { id: exchange.requestId, object: 'list', model: model.id, results: rank(scores, request) }
    sendJson(exchange, 200, { ...document, usage, meta })
  },
})

/** The most relevant first; in the order of the request where scores are equal. */
const rank = (scores: readonly number[], { pairs, maxResults, returnsDocuments }: RerankRequest) =>
  scores
    .map((score, index) => ({ index, score }))
    .sort((one, other) => other.score - one.score)
    .slice(0, maxResults)
    .map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(returnsDocuments ? { document: { text: pairs.documents[index] ?? '' } } : {}),
    }))

import type { Clock } from '../../base/clock.ts'
import type { ReaderOf } from '../../http/body-readers.ts'
import { sendJson } from '../../http/respond.ts'
import type { InputsEndpoint } from '../inputs/inputs-endpoint.ts'
import { mapPairs } from './map-pairs.ts'
import { readScores } from './read-scores.ts'
import type { readScoreRequest, ScoreRequest } from './request/read-score-request.ts'

/** `POST /v1/score` */
export const createScoreEndpoint = (
  reader: ReaderOf<typeof readScoreRequest>,
  clock: Clock,
): InputsEndpoint<ScoreRequest, number[]> => ({
  name: 'score',
  kind: 'rerank',
  reader,
  inputs: ({ pairs }) => pairs,
  mapTexts: (request, map) => ({ ...request, pairs: mapPairs(request.pairs, map) }),
  collect: readScores,
  send(exchange, scores, { model, promptTokens }) {
    const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens }
    const data = scores.map((score, index) => ({ index, object: 'score', score }))
    const created = Math.floor(clock.now() / 1000)
    sendJson(exchange, 200, { id: exchange.requestId, object: 'list', created, model: model.id, data, usage })
  },
})

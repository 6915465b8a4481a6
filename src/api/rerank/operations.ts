import { named } from '../../http/schema/schema.ts'
import { post, withKey } from '../operation.ts'
import { rerankBody } from './request/rerank-body.ts'
import { scoreBody } from './request/score-body.ts'
import { rerankingSchema, scoreListSchema } from './response-schema.ts'

export const rerankOperations = {
  createRerank: post(
    '/rerank',
    withKey('chat'),
    'Sorts documents by their relevance to a query. Requires a reranking model.',
    { body: named('CreateRerank', rerankBody), isForModel: true, answer: named('Reranking', rerankingSchema) },
  ),
  createScore: post(
    '/score',
    withKey('chat'),
    'Scores pairs of texts by their relevance to each other. Requires a reranking model.',
    { body: named('CreateScore', scoreBody), isForModel: true, answer: named('ScoreList', scoreListSchema) },
  ),
}

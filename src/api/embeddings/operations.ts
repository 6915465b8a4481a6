import { named } from '../../http/schema/schema.ts'
import { post, withKey } from '../operation.ts'
import { embeddingBody } from './request/embedding-body.ts'
import { embeddingListSchema } from './response-schema.ts'

export const embeddingsOperations = {
  createEmbedding: post(
    '/embeddings',
    withKey('chat'),
    'Creates embeddings: a vector for each input text. Requires an embedding model.',
    {
      body: named('CreateEmbedding', embeddingBody),
      isForModel: true,
      answer: named('EmbeddingList', embeddingListSchema),
    },
  ),
}

import { readRequest } from '../chat-completions/request/read-request.ts'
import { readCompletionsRequest } from '../completions/request/read-completions-request.ts'
import { writeEntries } from '../embeddings/embeddings-json.ts'
import { readEmbeddingRequest } from '../embeddings/request/read-embedding-request.ts'
import { readMessagesRequest } from '../messages/request/read-messages-request.ts'
import { readRerankRequest } from '../rerank/request/read-rerank-request.ts'
import { readScoreRequest } from '../rerank/request/read-score-request.ts'
import { readResponsesRequest } from '../responses/request/read-responses-request.ts'
import { readTokenRequest } from '../tokenize/request/read-token-request.ts'

/** What each endpoint that uses a model accepts as its body; and the vectors of an answer, of which there may be as many bytes. */
export const readTable = {
  chat: readRequest,
  completions: readCompletionsRequest,
  embeddings: readEmbeddingRequest,
  messages: readMessagesRequest,
  rerank: readRerankRequest,
  responses: readResponsesRequest,
  score: readScoreRequest,
  tokens: readTokenRequest,
  vectors: writeEntries,
}

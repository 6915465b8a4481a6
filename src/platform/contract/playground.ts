import { abilities } from '../../accounts/teams/roles.ts'
import { get, member, post } from './operation.ts'

const who = member(abilities.usePlayground)
const asInV1 = (path: string) => ({ description: `As for \`${path}\`: see \`/v1/openapi.json\`.` })

/** The same call as in `/v1`, for the organisation of the session instead of a key's. */
const call = <const Path extends string>(path: Path, what: string) => {
  const content = {
    'application/json': asInV1(`POST /v1${path}`),
    'text/event-stream': asInV1(`POST /v1${path}`),
  }
  const summary = `${what} for the organisation of the session. Body and answer are those of \`POST /v1${path}\`.`
  return post(`/playground${path}`, who, summary, { content })
}

export const playgroundOperations = {
  completeInPlayground: call('/chat/completions', 'Creates a chat completion'),
  respondInPlayground: call('/responses', 'Creates a response'),
  messageInPlayground: call('/messages', 'Creates a message in Anthropic’s format'),
  continueInPlayground: call('/completions', 'Continues a text'),
  embedInPlayground: call('/embeddings', 'Creates embeddings'),
  rerankInPlayground: call('/rerank', 'Sorts documents by their relevance to a query'),
  scoreInPlayground: call('/score', 'Scores pairs of texts'),
  listModelsInPlayground: get('/playground/models', who, 'Lists the models. The answer is that of `GET /v1/models`.', {
    content: { 'application/json': asInV1('GET /v1/models') },
  }),
}
export type PlaygroundCall = keyof typeof playgroundOperations

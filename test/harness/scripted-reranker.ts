import type { PreparedInputs } from '../../src/engine/contract.ts'
import type { ScoredPairs } from '../../src/engine/scored-pairs.ts'
import { openScriptedEngine, type ScriptedEngineOptions } from '../../src/engine/scripted.ts'
import type { Helix } from './start-helix.ts'

export const rerankerName = 'tiny-reranker'

const wordsIn = (text: string): string[] => text.split(' ')

/** A reranker that counts a token for each word, and whose score is how many words of a document its query has, minus one. */
export const openScriptedReranker = ({ model, ...rest }: Partial<ScriptedEngineOptions> = {}) => {
  const served = { id: rerankerName, contextTokens: 8, features: new Set(['rerank'] as const), vectorLength: 1 }
  const engine = openScriptedEngine({ answer: () => [], ...rest, model: { ...served, ...model } })
  /** The pairs that were asked for last. */
  let last: ScoredPairs | null = null
  return {
    ...engine,
    last: () => last,
    async prepareInputs(pairs: ScoredPairs): Promise<PreparedInputs> {
      last = pairs
      const { queries, documents } = pairs
      const split = documents.map((document, index) => ({
        query: wordsIn(queries[queries.length === 1 ? 0 : index] ?? ''),
        document: wordsIn(document),
      }))
      return {
        promptTokens: split.reduce((sum, { query, document }) => sum + query.length + document.length, 0),
        async *embed(signal) {
          for (const { query, document } of split) {
            signal.throwIfAborted()
            yield Float32Array.of(document.filter((word) => query.includes(word)).length - 1)
          }
        },
      }
    },
  }
}

/** POST to `/v1/rerank` or `/v1/score`, with the model filled in. */
export const postPairs = (
  { baseUrl, authorized }: Pick<Helix, 'baseUrl' | 'authorized'>,
  path: 'rerank' | 'score',
  body: Record<string, unknown>,
  init: RequestInit = {},
): Promise<Response> =>
  fetch(`${baseUrl}/${path}`, {
    method: 'POST',
    headers: authorized,
    body: JSON.stringify({ model: rerankerName, ...body }),
    ...init,
  })

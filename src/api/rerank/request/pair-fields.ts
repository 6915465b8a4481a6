/** What the bodies of `POST /v1/rerank` and `POST /v1/score` have in common. */

import type { ScoredPairs } from '../../../engine/scored-pairs.ts'
import { nullable, object, optional } from '../../../http/schema/containers.ts'
import { boolean, integer, string } from '../../../http/schema/scalars.ts'
import { described, type Schema, schema } from '../../../http/schema/schema.ts'
import { byType } from '../../../http/schema/variants.ts'

/** Per request, as at `POST /v1/embeddings`. */
export const maxDocuments = 2048

const plain = string()
const inObject = object({ text: plain })

/** A string, or an object with a `text`, as in the APIs of Cohere and Jina. */
export const pairText: Schema<string> = byType('one of a string or an object', {
  string: plain,
  object: schema(inObject.json, (value) => inObject(value).text),
})

const tokenCount = (min: number) => integer({ min, max: Number.MAX_SAFE_INTEGER })

export const pairFields = {
  truncate_prompt_tokens: optional(
    nullable(
      described(
        'Cuts off documents so that query and document together have at most this many tokens. -1: as many as the model accepts. By default, longer ones are refused.',
        tokenCount(-1),
      ),
    ),
  ),
  max_tokens_per_doc: optional(nullable(described('Cuts off documents after this many tokens.', tokenCount(1)))),
  use_activation: optional(
    nullable(
      described(
        'Converts scores to numbers between 0 and 1 with the sigmoid function. By default, scores are those of the model.',
        boolean,
      ),
    ),
  ),
  // Accepted without effect.
  user: optional(nullable(string())),
}

type PairLimits = { truncate_prompt_tokens?: number | null; max_tokens_per_doc?: number | null }

export const readPairLimits = (body: PairLimits): Pick<ScoredPairs, 'maxDocumentTokens' | 'maxPairTokens'> => ({
  maxDocumentTokens: body.max_tokens_per_doc ?? null,
  // 0 asks for nothing.
  maxPairTokens: body.truncate_prompt_tokens || null,
})

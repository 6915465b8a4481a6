/** For the OpenAPI document. */
import { array, object, optional } from '../../http/schema/containers.ts'
import { decimal, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const score = decimal({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE })
const usage = object({ prompt_tokens: count, total_tokens: count })

export const rerankingSchema = object({
  id: string(),
  object: oneOf('list'),
  model: string(),
  results: described(
    'The most relevant first.',
    array(
      object({
        index: described('Position of the document in the request.', count),
        relevance_score: score,
        document: optional(object({ text: string() })),
      }),
    ),
  ),
  usage,
  meta: object({ tokens: object({ input_tokens: count }) }),
})

export const scoreListSchema = object({
  id: string(),
  object: oneOf('list'),
  created: count,
  model: string(),
  data: array(object({ index: count, object: oneOf('score'), score })),
  usage,
})

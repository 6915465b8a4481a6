import { array, object } from '../../http/schema/containers.ts'
import { decimal, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { byType } from '../../http/schema/variants.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const vector = byType('one of an array of decimals or a string', {
  array: array(decimal({ min: -1, max: 1 })),
  string: string(),
})

/** For the OpenAPI document. */
export const embeddingListSchema = object({
  object: oneOf('list'),
  data: array(object({ object: oneOf('embedding'), index: count, embedding: vector }), { min: 1, max: 2048 }),
  model: string(),
  usage: object({ prompt_tokens: count, total_tokens: count }),
})

import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import { usageGroups } from '../../usage/summarise.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

const totals = {
  requests: count,
  failed_requests: count,
  client_closed_requests: described('Broken off by their clients.', count),
  prompt_tokens: count,
  cached_tokens: described("Of the prompts': those that did not have to be read again.", count),
  completion_tokens: count,
  reasoning_tokens: described("Of the completions': those of thoughts.", count),
  total_tokens: count,
}

export const usageSchema = object({
  object: oneOf('list'),
  from: string(),
  to: string(),
  time_zone: described('Where days begin.', string()),
  group_by: oneOf(...usageGroups),
  data: array(
    object({
      object: oneOf('usage'),
      day: optional(string()),
      key_id: optional(described('Null: asked in the playground.', nullable(string()))),
      model: optional(string()),
      ...totals,
    }),
  ),
  total: object(totals),
})

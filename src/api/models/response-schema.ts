import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, decimal, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'

const amount = decimal({ min: 0, max: 1_000_000 })

export const modelSchema = object({
  id: string(),
  object: oneOf('model'),
  created: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  owned_by: string(),
  kind: described(
    'Type of the model. Like the fields below, not part of the official API.',
    oneOf('chat', 'embedding', 'rerank'),
  ),
  aliases: described('Other names that requests can use for the model.', array(string())),
  context_length: described(
    'Maximum tokens of prompt and completion combined. Null if unknown, for example with an upstream.',
    nullable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  ),
  capabilities: described(
    'Features that requests can use. Null until the model has been loaded for the first time.',
    nullable(
      array(
        oneOf(
          ...([
            'tools',
            'reasoning',
            'grammar',
            'logprobs',
            'token_ids',
            'template',
            'embeddings',
            'rerank',
            'vision',
            'audio',
          ] as const),
        ),
      ),
    ),
  ),
  endpoints: described('Paths of the endpoints that accept the model.', array(string())),
  price: described(
    'Units of the currency for a million prompt, cached and completion tokens. Null: the model has no price.',
    nullable(object({ currency: string(), prompt: amount, cached: amount, completion: amount })),
  ),
})

/** As in Anthropic's API. */
export const modelInfoSchema = object({
  type: oneOf('model'),
  id: string(),
  display_name: string(),
  created_at: string(),
  max_input_tokens: nullable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  max_tokens: nullable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  capabilities: nullable(object({})),
  line: nullable(string()),
  lifecycle: oneOf('active', 'deprecated', 'retired'),
  deprecated_at: nullable(string()),
  retires_at: nullable(string()),
})

export const modelInfoListSchema = object({
  data: array(modelInfoSchema),
  has_more: boolean,
  first_id: nullable(string()),
  last_id: nullable(string()),
})

export const modelListSchema = object({ object: oneOf('list'), data: array(modelSchema) })

import { array, nullable, object } from '../../http/schema/containers.ts'
import { integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'

export const modelSchema = object({
  id: string(),
  object: oneOf('model'),
  created: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  owned_by: string(),
  kind: described(
    'What the model does. Not part of the official API, like the fields below.',
    oneOf('chat', 'embedding'),
  ),
  aliases: described('Other names under which the model can be requested.', array(string())),
  context_length: described(
    'Tokens of prompt and answer together. Null if only the upstream knows.',
    nullable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  ),
  capabilities: described(
    'What requests can use. Null until the model was loaded for the first time.',
    nullable(array(oneOf('tools', 'reasoning', 'grammar', 'logprobs', 'token_ids', 'template', 'embeddings'))),
  ),
})

export const modelListSchema = object({ object: oneOf('list'), data: array(modelSchema) })

import { array, object } from '../../http/schema/containers.ts'
import { integer, oneOf, string } from '../../http/schema/scalars.ts'

export const modelSchema = object({
  id: string(),
  object: oneOf('model'),
  created: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  owned_by: string(),
})

export const modelListSchema = object({ object: oneOf('list'), data: array(modelSchema) })

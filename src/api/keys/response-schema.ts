import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import { accessScopes } from '../../store/contract.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
export const time = described('Unix time in seconds.', count)
const limit = nullable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))

export const keyFields = {
  id: string({ pattern: '^key_' }),
  object: oneOf('api_key'),
  name: string(),
  prefix: described('How the secret begins.', string()),
  last_four: described('How it ends.', string()),
  state: oneOf('active', 'suspended', 'expired', 'revoked'),
  scopes: array(oneOf(...accessScopes)),
  models: described('The models it may use; null: all.', nullable(array(string()))),
  networks: described('The networks it may be used from; null: all.', nullable(array(string()))),
  limits: object({
    requests_per_minute: limit,
    tokens_per_minute: limit,
    requests_in_flight: limit,
    tokens_per_day: limit,
    tokens_per_month: limit,
  }),
  created_at: time,
  expires_at: nullable(time),
  revoked_at: nullable(time),
  last_used_at: described('To within a minute.', nullable(count)),
  previous_secret_until: described('Until then the secret before the last rotation works as well.', nullable(count)),
}

export const keySchema = object(keyFields)

export const keyPageSchema = object({
  object: oneOf('list'),
  data: array(keySchema),
  first_id: nullable(string()),
  last_id: nullable(string()),
  has_more: boolean,
})

export const newKeySchema = object({
  ...keyFields,
  key: described('The secret. It is in this answer and nowhere else.', string({ pattern: '^hx_live_' })),
})

export const deletedKeySchema = object({ object: oneOf('api_key.deleted'), id: string(), deleted: boolean })

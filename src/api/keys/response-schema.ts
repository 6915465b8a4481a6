import { eachWireName, isCostLimit } from '../../config/limit-kinds.ts'
import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import { accessScopes } from '../../store/contract.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
export const time = described('Unix time in seconds.', count)
const limit = nullable(integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))
const costLimit = described('In millionths of the currency of `GET /v1/usage`.', limit)

export const keyFields = {
  id: string({ pattern: '^key_' }),
  object: oneOf('api_key'),
  name: string(),
  prefix: described('First characters of the secret.', string()),
  last_four: described('Last four characters of the secret.', string()),
  state: oneOf('active', 'suspended', 'expired', 'revoked'),
  scopes: array(oneOf(...accessScopes)),
  models: described('Models the key can use; null means all.', nullable(array(string()))),
  networks: described('Networks the key can be used from; null means any.', nullable(array(string()))),
  limits: object(eachWireName((name) => (isCostLimit(name) ? costLimit : limit))),
  created_at: time,
  expires_at: nullable(time),
  revoked_at: nullable(time),
  last_used_at: described('Accurate to within one minute.', nullable(count)),
  previous_secret_until: described(
    'Until this time, the secret from before the last rotation also works.',
    nullable(count),
  ),
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
  key: described('The secret. It is returned only in this response.', string({ pattern: '^hx_live_' })),
})

export const deletedKeySchema = object({ object: oneOf('api_key.deleted'), id: string(), deleted: boolean })

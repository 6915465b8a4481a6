import { array, nullable, object } from '../../http/schema/containers.ts'
import { integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import { keyFields, time } from '../keys/response-schema.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

const limitUse = object({
  scope: described('Whose limit it is.', oneOf('key', 'organisation')),
  name: oneOf('requests_per_minute', 'tokens_per_minute', 'requests_in_flight', 'tokens_per_day', 'tokens_per_month'),
  limit: count,
  used: described('Reserved for running requests included.', count),
  remaining: count,
  resets_at: described(
    'When all of it is free again, if nothing more is sent; null: when running requests end.',
    nullable(time),
  ),
})

export const ownKeySchema = object({
  ...keyFields,
  organisation_id: string({ pattern: '^org_' }),
  limit_use: described('Every limit that counts for this key, the narrowest scope first.', array(limitUse)),
  usage: object({ time_zone: string(), tokens_today: count, tokens_this_month: count }),
})

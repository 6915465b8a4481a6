import { array, nullable, object } from '../../http/schema/containers.ts'
import { integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import { limitWireNames } from '../../store/limit-names.ts'
import { keyFields, time } from '../keys/response-schema.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

const limitUse = object({
  scope: described('Scope of the limit.', oneOf('key', 'organisation')),
  name: described(
    'Values of those that end in `_micros` are in millionths of the currency.',
    oneOf(...Object.values(limitWireNames)),
  ),
  limit: count,
  used: described('Includes the amount reserved for running requests.', count),
  remaining: count,
  resets_at: described(
    'When the limit fully resets if no more requests are sent; null means when running requests finish.',
    nullable(time),
  ),
})

export const ownKeySchema = object({
  ...keyFields,
  organisation_id: string({ pattern: '^org_' }),
  limit_use: described('All limits that apply to this key, narrowest scope first.', array(limitUse)),
  usage: object({ time_zone: string(), tokens_today: count, tokens_this_month: count }),
})

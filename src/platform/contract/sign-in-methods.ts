import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { count, time } from './scalars.ts'

export const passkey = named(
  'Passkey',
  object({ id: string(), name: string(), createdAt: time, lastUsedAt: nullable(time) }),
)
export type Passkey = Shape<typeof passkey>

const identity = object({
  id: string(),
  provider: described('Null if it is no longer configured.', nullable(string())),
  name: string(),
  email: nullable(string()),
  createdAt: time,
  lastUsedAt: nullable(time),
})
export type Identity = Shape<typeof identity>

export const signInMethods = named(
  'SignInMethods',
  object({
    hasPassword: boolean,
    twoFactor: nullable(object({ since: time, recoveryCodesLeft: count })),
    passkeys: array(passkey),
    identities: array(identity),
  }),
)

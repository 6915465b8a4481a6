import { eachWireName, isCostLimit, type Limits, limitKinds, limitNames } from '../../config/limit-kinds.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { integer, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import type { KeyFields } from '../../keys/key-fields.ts'
import { maxAmountMicros } from '../../prices/decimal-amount.ts'

const texts = array(string(), { of: 'strings' })

const limit = optional(nullable(integer({ min: 1, max: 1_000_000_000_000 })))
const costLimit = optional(
  described('In millionths of the currency of `GET /v1/usage`.', nullable(integer({ min: 1, max: maxAmountMicros }))),
)
const limits = object(eachWireName((name) => (isCostLimit(name) ? costLimit : limit)))

const fields = {
  expires_at: optional(
    described(
      'Unix time in seconds; null means it never expires.',
      nullable(integer({ min: 0, max: 8_640_000_000_000 })),
    ),
  ),
  models: optional(described('Models the key can use; null means all.', nullable(texts))),
  networks: optional(
    described('IP addresses and CIDR ranges the key can be used from; null means any.', nullable(texts)),
  ),
  limits: optional(described('Omitted limits are unchanged; null removes a limit.', limits)),
}

export const newKeyBody = object({
  name: string(),
  scopes: optional(
    described('Scopes of the key. Defaults to chat, models, completions.read and completions.write.', texts),
  ),
  ...fields,
})

export const keyChangesBody = object({
  name: optional(string()),
  scopes: optional(described('Scopes of the key. `manage` and `metrics` can be neither added nor removed.', texts)),
  ...fields,
})

export const rotateBody = object({
  grace_seconds: optional(
    described(
      'How long the old secret keeps working. Defaults to one day; 0 stops it immediately.',
      integer({ min: 0, max: 2_592_000 }),
    ),
  ),
})

type SentFields = Omit<ReturnType<typeof keyChangesBody>, 'name' | 'scopes'>

/** As the registry names them. */
export const readKeyFields = ({ expires_at, models, networks, limits: sent }: SentFields): KeyFields => ({
  ...(expires_at === undefined ? {} : { expiresAt: expires_at === null ? null : expires_at * 1000 }),
  ...(models === undefined ? {} : { models }),
  ...(networks === undefined ? {} : { networks }),
  ...(sent === undefined ? {} : { limits: readLimits(sent) }),
})

const readLimits = (sent: ReturnType<typeof limits>): Partial<Limits> => {
  const given: Partial<Limits> = {}
  for (const name of limitNames) {
    const limit = sent[limitKinds[name].wireName]
    if (limit !== undefined) given[name] = limit
  }
  return given
}

/** The name of a registry field in this API. */
export const wireName = (field: string): string =>
  field === 'graceMs' ? 'grace_seconds' : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

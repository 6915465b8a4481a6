import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { integer, string } from '../../http/schema/scalars.ts'

/** The largest date JavaScript knows. */
const lastMoment = 8_640_000_000_000_000

const limit = optional(nullable(integer({ min: 0, max: Number.MAX_SAFE_INTEGER })))

/** Those that are left out stay as they are. What null and 0 mean is for the one who is limited to say. */
const limits = {
  requestsPerMinute: limit,
  tokensPerMinute: limit,
  requestsInFlight: limit,
  tokensPerDay: limit,
  tokensPerMonth: limit,
}
export const limitsBody = object(limits)

/** `was`: what the page showed before the change. Where that is not true any more nothing is changed. */
export const limitChangesBody = object({ ...limits, was: optional(limitsBody) })

const fields = {
  expiresAt: optional(nullable(integer({ min: 0, max: lastMoment }))),
  models: optional(nullable(array(string(), { of: 'strings' }))),
  networks: optional(nullable(array(string(), { of: 'strings' }))),
  limits: optional(limitsBody),
}

export const newKeyBody = object({ ...fields, name: string(), scopes: optional(array(string(), { of: 'strings' })) })
export const keyChangesBody = object({
  ...fields,
  name: optional(string()),
  was: optional(object({ limits: limitsBody })),
})
export const rotateBody = object({ graceMs: integer({ min: 0, max: Number.MAX_SAFE_INTEGER }) })

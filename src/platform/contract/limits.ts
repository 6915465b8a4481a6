import { abilities } from '../../accounts/teams/roles.ts'
import { eachLimit, type LimitName, limitNames } from '../../config/limit-kinds.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described, named, type Schema } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { get, member, owner, post } from './operation.ts'
import { organisationFields } from './organisation.ts'
import { count, time } from './scalars.ts'

export type { LimitName }

const forEachLimit = <Field extends Schema<unknown>>(field: Field) => eachLimit(() => field)

export const limits = named('Limits', object(forEachLimit(nullable(count))))
export type Limits = Shape<typeof limits>

const limitFields = optional(nullable(integer({ min: 0, max: Number.MAX_SAFE_INTEGER })))

/** Limits that are omitted are unchanged. What null and 0 mean depends on whether a key or an organisation is limited. */
export const limitsBody = object(forEachLimit(limitFields))

const was = 'What the page showed. If the limits have changed since, nothing is changed.'

const use = {
  limit: count,
  used: described('Includes what is reserved for running requests.', count),
  resetsAt: described('Null: when running requests end.', nullable(time)),
}
const limitUse = named('LimitUse', object(use))
export type LimitUse = Shape<typeof limitUse>

/** The limits that are set. */
export const limitUses = named('LimitUses', object(forEachLimit(optional(limitUse))))
export type LimitUses = Shape<typeof limitUses>

/** Prompt and completion tokens together. */
export const recentTokens = {
  tokensToday: count,
  tokensThisMonth: count,
  tokensOfDays: described('Of the last 14 days, today last.', array(count)),
}

const appliedLimit = named(
  'AppliedLimit',
  object({
    name: oneOf(...limitNames),
    setBy: described(
      'Where it was set: for all organisations, by the owner of the server for this one, or on the key. `servers_own`: the default for other organisations does not apply to the one of the server itself.',
      oneOf('settings', 'servers_own', 'owner', 'key'),
    ),
    limit: nullable(count),
    used: described('Null if there is no limit, or if it is for others to see.', nullable(count)),
    resetsAt: nullable(time),
  }),
)
export type ShownLimit = Shape<typeof appliedLimit>

const limitsShown = object({
  now: described('The clock of the server.', time),
  timeZone: string(),
  organisation: array(appliedLimit),
  server: array(appliedLimit),
  keys: array(
    object({ id: string(), name: string(), prefix: string(), lastFour: string(), limits: array(appliedLimit) }),
  ),
  unlimitedKeys: count,
})
export type LimitsShown = Shape<typeof limitsShown>

const organisationLimits = {
  ...organisationFields,
  limits: described('Set by the owner of the server: null for the default, 0 for no limit.', limits),
  uses: limitUses,
}
const limitedOrganisation = object({ ...organisationLimits, ...recentTokens, defaults: limits })
export type LimitedOrganisation = Shape<typeof limitedOrganisation>
const adminLimits = object({ data: array(limitedOrganisation), timeZone: string() })
export type AdminLimits = Shape<typeof adminLimits>

export const limitOperations = {
  showLimits: get(
    '/limits',
    member(abilities.see),
    'Shows the limits of the organisation and how much of each is used.',
    {
      answer: limitsShown,
    },
  ),
  listOrganisationLimits: get('/admin/limits', owner, 'Lists the limits and recent usage of all organisations.', {
    answer: adminLimits,
  }),
  setOrganisationLimits: post(
    '/admin/organisations/{organisation}/limits',
    owner,
    'Sets limits of an organisation: null for the default, 0 for no limit.',
    {
      body: object({ ...forEachLimit(limitFields), was: optional(described(was, limitsBody)) }),
      answer: object(organisationLimits),
    },
  ),
}

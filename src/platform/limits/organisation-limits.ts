import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { keyError } from '../../keys/key-error.ts'
import { FieldRefused, readLimits } from '../../keys/key-fields.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { AuditActor, AuditEvent, Target } from '../../store/audit-contract.ts'
import type { GivenLimits, Store } from '../../store/contract.ts'
import type { Limits, OrganisationLimits } from '../../store/ledger-contract.ts'
import { limitNames, limitsAgree } from '../../store/limit-names.ts'
import type { OrganisationRecord } from '../../store/organisation-record.ts'

type Organisations = Store['organisations']

export type OrganisationLimitsDependencies = {
  organisations: Pick<Organisations, 'list' | 'setLimits'>
  limiter: Pick<Limiter, 'forget'>
  clock: Clock
}

export type LimitedOrganisation = OrganisationRecord & GivenLimits

export const findOrganisation = async (
  organisations: Pick<Organisations, 'list'>,
  id: string,
): Promise<LimitedOrganisation> => {
  const found = (await organisations.list()).find((organisation) => organisation.id === id)
  if (found === undefined) throw ApiError.of('organisation_not_found', { id: id.slice(0, 64) })
  return found
}

/**
 * Null: the default; 0: no limit; omitted: unchanged. Applies from the next request. Nothing is changed if the limits are
 * no longer what they `were`.
 */
export const changeOrganisationLimits = async (
  dependencies: OrganisationLimitsDependencies,
  id: string,
  changes: Partial<Limits>,
  actor: AuditActor,
  were: Partial<Limits> = {},
): Promise<LimitedOrganisation> => {
  const { organisations, limiter, clock } = dependencies
  const organisation = await findOrganisation(organisations, id)
  if (!limitsAgree(organisation.limits, were)) throw ApiError.of('limits_changed', {})
  const limits = readOwnLimits({ ...organisation.limits, ...changes })
  const changed = limitNames.filter((name) => limits[name] !== organisation.limits[name])
  const details = Object.fromEntries(changed.map((name) => [name, limits[name]]))
  const target: Target = { kind: 'organisation', id, name: organisation.name }
  const at = clock.now()
  const event: AuditEvent = { at, organisationId: id, actor, action: 'organisation.limits_changed', target, details }
  const outcome = await organisations.setLimits(id, limits, organisation.limits, event)
  // Somebody else changed them between the two calls, so they are read again.
  if (outcome !== 'set') return changeOrganisationLimits(dependencies, id, changes, actor, were)
  limiter.forget(id)
  return { ...organisation, limits }
}

const readOwnLimits = (limits: Limits): OrganisationLimits => {
  try {
    return readLimits(limits, 0)
  } catch (error) {
    if (!(error instanceof FieldRefused)) throw error
    throw keyError('', { outcome: 'refused', field: error.field, reason: error.message })
  }
}

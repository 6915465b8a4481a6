import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import { keyError } from '../../keys/key-error.ts'
import { FieldRefused, readLimits } from '../../keys/key-fields.ts'
import type { Limiter } from '../../limits/limiter.ts'
import type { AuditActor, AuditEvent, Target } from '../../store/audit-contract.ts'
import type { GivenLimits, Store } from '../../store/contract.ts'
import type { Limits, OrganisationLimits } from '../../store/ledger-contract.ts'
import { limitNames, limitsAgree } from '../../store/limit-names.ts'
import type { OrganisationRecord } from '../../store/organisation-record.ts'

export type OrganisationRooms = {
  store: Pick<Store, 'organisations'>
  limiter: Pick<Limiter, 'usageSnapshots' | 'forget'>
  clock: Clock
}

export type LimitedOrganisation = OrganisationRecord & GivenLimits

export const findOrganisation = async (
  { store }: Pick<OrganisationRooms, 'store'>,
  id: string,
): Promise<LimitedOrganisation> => {
  const found = (await store.organisations.list()).find((organisation) => organisation.id === id)
  if (found === undefined) throw ApiError.of('organisation_not_found', { id: id.slice(0, 64) })
  return found
}

/**
 * Null: as for every organisation; 0: no limit; left out: as it is. It counts for the next request. Nothing is changed where
 * the limits are not what they `were`.
 */
export const changeOrganisationLimits = async (
  rooms: OrganisationRooms,
  id: string,
  changes: Partial<Limits>,
  actor: AuditActor,
  were: Partial<Limits> = {},
): Promise<LimitedOrganisation> => {
  const organisation = await findOrganisation(rooms, id)
  if (!limitsAgree(organisation.limits, were)) throw ApiError.of('limits_changed', {})
  const limits = readOwnLimits({ ...organisation.limits, ...changes })
  const changed = limitNames.filter((name) => limits[name] !== organisation.limits[name])
  const details = Object.fromEntries(changed.map((name) => [name, limits[name]]))
  const target: Target = { kind: 'organisation', id, name: organisation.name }
  const at = rooms.clock.now()
  const event: AuditEvent = { at, organisationId: id, actor, action: 'organisation.limits_changed', target, details }
  const outcome = await rooms.store.organisations.setLimits(id, limits, organisation.limits, event)
  // Between the two calls somebody was faster: what was read is not true any more, so it is read again.
  if (outcome !== 'set') return changeOrganisationLimits(rooms, id, changes, actor, were)
  rooms.limiter.forget(id)
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

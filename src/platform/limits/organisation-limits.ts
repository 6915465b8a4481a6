import { ApiError } from '../../base/errors.ts'
import { keyError } from '../../keys/key-error.ts'
import { FieldRefused, readLimits } from '../../keys/key-fields.ts'
import type { Limiter } from '../../limits/limiter.ts'
import type { OrganisationRecord, Store } from '../../store/contract.ts'
import type { Limits, OrganisationLimits } from '../../store/ledger-contract.ts'

export type OrganisationRooms = { store: Pick<Store, 'organisations'>; limiter: Pick<Limiter, 'standing' | 'forget'> }

export type LimitedOrganisation = OrganisationRecord & { limits: OrganisationLimits }

export const findOrganisation = async (
  { store }: Pick<OrganisationRooms, 'store'>,
  id: string,
): Promise<LimitedOrganisation> => {
  const found = (await store.organisations.list()).find((organisation) => organisation.id === id)
  if (found === undefined) throw ApiError.of('organisation_not_found', { id: id.slice(0, 64) })
  return found
}

/** Null: as for every organisation; 0: no limit; left out: as it is. It counts for the next request. */
export const changeOrganisationLimits = async (
  rooms: OrganisationRooms,
  id: string,
  changes: Partial<Limits>,
): Promise<LimitedOrganisation> => {
  const organisation = await findOrganisation(rooms, id)
  const limits = readOwnLimits({ ...organisation.limits, ...changes })
  await rooms.store.organisations.setLimits(id, limits)
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

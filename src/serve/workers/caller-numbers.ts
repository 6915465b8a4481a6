import type { Caller } from '../../limits/limiter-contract.ts'

/** Whose request it is, as the authority needs it. */
export type NumberedCaller = Caller & { ownerId: string }

/** `caller`: with the first request of a number; null later. */
export type CallerNumber = { number: number; caller: NumberedCaller | null }

/** Numbers are used again once there are more. */
const maxNumbered = 10_000

/**
 * The callers that a worker has told its authority of. Requests carry their number: a caller has the limits of its key with it, which
 * are most of the text of a question and would be read again for every request. A key with other limits is another caller.
 */
export const createCallerNumbers = (max = maxNumbered): ((caller: NumberedCaller) => CallerNumber) => {
  const told = new Map<string, { number: number; caller: NumberedCaller }>()
  return (caller) => {
    const { organisationId, ownerId, key } = caller
    const id = key?.id ?? organisationId
    const known = told.get(id)
    if (known !== undefined && isSame(known.caller, caller)) return { number: known.number, caller: null }
    if (known === undefined && told.size === max) told.clear()
    const number = known?.number ?? told.size
    told.set(id, { number, caller })
    // Nothing else of the key is needed, and all of it would be copied.
    const plainKey = key === null ? null : { id: key.id, limits: key.limits }
    return { number, caller: { organisationId, ownerId, key: plainKey } }
  }
}

/** Limits are never changed in place: a key that is found again after a change has others. */
const isSame = (one: NumberedCaller, other: NumberedCaller): boolean =>
  one.key?.limits === other.key?.limits &&
  one.ownerId === other.ownerId &&
  one.organisationId === other.organisationId &&
  one.key?.id === other.key?.id

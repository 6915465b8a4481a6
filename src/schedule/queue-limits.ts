import type { Waiter, WaitingLists } from './waiting-lists.ts'

export type QueueLimits = {
  /** For all organisations together, and per organisation. */
  queueLimit: number
  organisationQueueLimit: number
}

/**
 * Selects the request to refuse after an arrival; null if there is room. Over the organisation limit it is the new
 * request. Over the queue limit it is the newest request of the organisation with the most waiting requests for its
 * weight, so an organisation that fills the queue cannot exclude others.
 */
export const findExcess = <Request extends Waiter>(
  arrived: Request,
  waiting: WaitingLists<Request>,
  limits: QueueLimits & { counts(request: Request): boolean; weightOf(organisationId: string): number },
): Request | null => {
  const { queueLimit, organisationQueueLimit, counts, weightOf } = limits
  const countedOf = (organisationId: string): Request[] => waiting.of(organisationId).filter(counts)
  const own = arrived.organisationId
  if (countedOf(own).length > organisationQueueLimit) return arrived
  if (waiting.size <= queueLimit) return null
  const lengths = [...waiting.firsts()].map(({ organisationId: id }) => ({ id, length: countedOf(id).length }))
  if (lengths.reduce((sum, { length }) => sum + length, 0) <= queueLimit) return null
  const shareOf = ({ id, length }: { id: string; length: number }): number => length / weightOf(id)
  const longest = lengths.reduce((one, other) => (shareOf(other) > shareOf(one) ? other : one), {
    id: own,
    length: countedOf(own).length,
  })
  return countedOf(longest.id).reduce((one, other) => (other.id > one.id ? other : one))
}

import type { Waiter, WaitingLists } from './waiting-lists.ts'

export type QueueLimits = {
  /** For all owners together, and for the organisations of one owner together. */
  queueLimit: number
  organisationQueueLimit: number
}

/**
 * Selects the request to refuse after an arrival; null if there is room. Over the owner's limit it is the new request.
 * Over the queue limit it is the newest request of the owner with the most waiting requests for their weights, so an
 * owner that fills the queue cannot exclude others.
 */
export const findExcess = <Request extends Waiter>(
  arrived: Request,
  waiting: WaitingLists<Request>,
  limits: QueueLimits & { counts(request: Request): boolean },
): Request | null => {
  const { queueLimit, organisationQueueLimit, counts } = limits
  // Most often; counting a long queue for each arrival would cost more than the request itself.
  if (waiting.size <= Math.min(queueLimit, organisationQueueLimit)) return null
  const listCounted = ({ ownerId }: Request): Request[] => waiting.of(ownerId).filter(counts)
  const own = listCounted(arrived)
  if (own.length > organisationQueueLimit) return arrived
  if (waiting.size <= queueLimit) return null
  const lists = [...waiting.firsts()].map(listCounted)
  if (lists.reduce((sum, { length }) => sum + length, 0) <= queueLimit) return null
  const longest = lists.reduce((one, other) => (shareOf(other) > shareOf(one) ? other : one), own)
  return longest.reduce((one, other) => (other.id > one.id ? other : one))
}

const shareOf = (requests: readonly Waiter[]): number => requests.reduce((sum, { weight }) => sum + 1 / weight, 0)

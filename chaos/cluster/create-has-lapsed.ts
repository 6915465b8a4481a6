import type { Dated } from '../ledger/journal.ts'
import type { ClusterCallEntry, ClusterFaultEntry } from './journal.ts'
import type { LeaseLapse } from './read-lapses.ts'

type Sent = Dated<Extract<ClusterCallEntry, { event: 'sent' }>>
type Ended = Dated<Extract<ClusterCallEntry, { event: 'ended' }>>
export type HasLapsed = (sent: Sent, ended: Ended) => boolean

/** A node takes about so long to write what it had on its disk. */
const writtenAfterMs = 3_000

/**
 * Whether the lease of a call's node ended before PostgreSQL had its settlement: while it was answered or, if PostgreSQL was
 * away then, before the node could write it. Others may have settled it for less.
 */
export const createHasLapsed =
  (lapses: readonly LeaseLapse[], faults: readonly Dated<ClusterFaultEntry>[]): HasLapsed =>
  ({ node, at }, ended) => {
    const troubles = faults.filter(({ part }) => part === 'postgres' || part === `${node} to postgres`)
    const overAt = troubles.flatMap((fault, index) => {
      if (fault.event !== 'began' || fault.at > ended.at) return []
      const over = troubles.slice(index).find(({ event, part }) => event === 'over' && part === fault.part)
      return over !== undefined && over.at >= at ? [over.at + writtenAfterMs] : []
    })
    const settledAt = Math.max(ended.at, ...overAt)
    return lapses.some((lapse) => lapse.node === node && lapse.untilMs >= at && lapse.fromMs <= settledAt)
  }

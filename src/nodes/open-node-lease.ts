import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { errorText, type Log } from '../base/log.ts'
import { openPeriodicTask } from '../base/periodic-task.ts'
import type { NodeRecords } from '../store/node-contract.ts'
import { listNodes } from './list-nodes.ts'
import type { NodeLease, NodeSelf } from './node-lease.ts'

export type LeaseTimes = {
  beatMs: number
  /** A node without a heartbeat for this long counts as dead. */
  leaseMs: number
  /** Intervals vary by up to this fraction, so that nodes that were started together do not stay in step. */
  jitter: number
}

type NodeLeaseOptions = {
  records: NodeRecords
  self: NodeSelf
  times: LeaseTimes
  clock: Clock
  log: Log
  /**
   * Another node has settled the running requests of this one, or may have: it was paused, or could not reach the database. Its
   * answers must end.
   */
  onLost(): void
  /** The requests of a node that died are settled. Called by every node that notices, perhaps more than once. */
  onNodeEnded(nodeId: string): Promise<void>
  /** The current day in the server's time zone. */
  today(): number
  /**
   * False for an engine node: only servers end the leases of others, because they know what to release. Default: true.
   */
  endsOthers?: boolean
}

export const leaseTimes: LeaseTimes = { beatMs: 5_000, leaseMs: 30_000, jitter: 0.1 }
/** The delay after a failed heartbeat: a node that is stopping, for example, should not wait for a whole interval. */
const beatAgainMs = 1_000
const hourMs = 3_600_000
/**
 * After an outage of the database all leases seem to have ended. A node therefore judges others only after this many
 * timely heartbeats of its own: by then the others have had time for theirs.
 */
const beatsBeforeJudging = 6

/** Registers this server as a node, and settles the requests of nodes that die. */
export const openNodeLease = async (options: NodeLeaseOptions): Promise<NodeLease> => {
  const { records, self, times, clock, log, onLost, onNodeEnded, today, endsOthers = true } = options
  const { beatMs, leaseMs, jitter } = times
  let id = ''
  let confirmedMs = clock.monotonicMs()
  let beatsInTime = 0
  /** Its answers have ended, and it has not had a heartbeat since. */
  let isLost = false

  const heartbeat = () => {
    const offer = self.engine()
    const engine = offer === null ? null : JSON.stringify(offer)
    return { id, address: self.address(), status: JSON.stringify(self.status()), engine }
  }
  const register = async (): Promise<void> => {
    const startedMs = clock.monotonicMs()
    const next = newId('node')
    const { name, version, certificate } = self
    await records.register({ ...heartbeat(), id: next, name, version, certificate })
    id = next
    confirmedMs = startedMs
    beatsInTime = 0
    isLost = false
  }
  const lose = (): void => {
    if (isLost) return
    isLost = true
    beatsInTime = 0
    log.warn('node_lease_expired', { node: id, silentMs: Math.round(clock.monotonicMs() - confirmedMs) })
    onLost()
  }
  const beat = async (): Promise<void> => {
    const startedMs = clock.monotonicMs()
    // Others may have settled its requests by now, whatever the database would say.
    if (startedMs - confirmedMs >= leaseMs) lose()
    const isOwn = await records.beat(heartbeat())
    if (!isOwn) {
      lose()
      const before = id
      await register()
      log.warn('node_registered_again', { node: id, before })
      return
    }
    if (isLost) log.info('node_lease_renewed', { node: id })
    isLost = false
    beatsInTime = startedMs - confirmedMs < leaseMs / 2 ? beatsInTime + 1 : 0
    confirmedMs = startedMs
  }
  const settleDead = async (isClosed: () => boolean): Promise<void> => {
    for (const dead of await records.endSilent(leaseMs)) {
      if (isClosed()) return
      const requests = await records.settle(dead.id, clock.now(), today())
      await onNodeEnded(dead.id)
      const isRemoved = await records.removeEnded(dead.id)
      if (requests > 0 || isRemoved) log.warn('node_ended', { node: dead.id, name: dead.name, requests, isRemoved })
    }
  }

  let isUnreachable = false
  const pass = async (isClosed: () => boolean): Promise<void> => {
    try {
      await beat()
      if (endsOthers && beatsInTime >= beatsBeforeJudging) await settleDead(isClosed)
      isUnreachable = false
    } catch (error) {
      if (!isUnreachable) log.error('node_heartbeat_failed', { node: id, cause: errorText(error) })
      isUnreachable = true
    }
  }

  const nextBeatMs = (): number =>
    (isUnreachable ? Math.min(beatMs, beatAgainMs) : beatMs) * (1 + jitter * (2 * Math.random() - 1))

  await register()
  log.info('node_registered', { node: id, name: self.name })
  const beating = openPeriodicTask(pass, clock, nextBeatMs)
  const marking = openPeriodicTask(() => records.advanceMark().catch(() => {}), clock, hourMs)
  // A heartbeat that waits for the database would notice too late that the lease has ended.
  const watching = openPeriodicTask(
    async () => {
      if (clock.monotonicMs() - confirmedMs >= leaseMs) lose()
    },
    clock,
    beatMs,
  )
  return {
    id: () => id,
    list: () => listNodes(records, id),
    holdTask: (name, forMs) => records.holdTask(name, forMs),
    async announce() {
      // If the lease has ended, the next heartbeat notices.
      await records.beat(heartbeat()).catch(() => {})
    },
    async close() {
      await Promise.all([beating.close(), marking.close(), watching.close()])
      // The others notice by themselves if the database cannot be reached.
      await records.leave(id).catch((error: unknown) => log.warn('node_not_removed', { cause: errorText(error) }))
    },
  }
}

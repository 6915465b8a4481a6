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
  onNodeEnded(nodeId: string, name: string): Promise<void>
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
  const { records, self, times, clock, log } = options
  const heartbeats = new Heartbeats(options)
  await heartbeats.register()
  log.info('node_registered', { node: heartbeats.id, name: self.name })
  const beating = openPeriodicTask(
    (isClosed) => heartbeats.pass(isClosed),
    clock,
    () => heartbeats.nextMs(),
  )
  const marking = openPeriodicTask(() => records.advanceMark().catch(() => {}), clock, hourMs)
  // A heartbeat that waits for the database would notice too late that the lease has ended.
  const watching = openPeriodicTask(async () => heartbeats.loseIfSilent(), clock, times.beatMs)
  return {
    id: () => heartbeats.id,
    list: () => listNodes(records, heartbeats.id),
    holdTask: (name, forMs) => records.holdTask(name, forMs),
    async announce() {
      // If the lease has ended, the next heartbeat notices.
      await records.beat(heartbeats.current()).catch(() => {})
    },
    async close() {
      await Promise.all([beating.close(), marking.close(), watching.close()])
      // The others notice by themselves if the database cannot be reached.
      await records
        .leave(heartbeats.id)
        .catch((error: unknown) => log.warn('node_not_removed', { cause: errorText(error) }))
    },
  }
}

/**
 * The lease of one node. It is held as long as a heartbeat succeeds within `leaseMs`; then it is lost, and the next heartbeat
 * renews it, or registers the node again under another id if the others have ended it.
 *
 *     held ⇄ lost
 */
class Heartbeats {
  readonly #options: NodeLeaseOptions
  #id = ''
  /** When the last heartbeat that succeeded was sent. */
  #confirmedMs: number
  #beatsInTime = 0
  /** Its answers have ended, and it has not had a heartbeat since. */
  #isLost = false
  #isUnreachable = false

  constructor(options: NodeLeaseOptions) {
    this.#options = options
    this.#confirmedMs = options.clock.monotonicMs()
  }

  get id(): string {
    return this.#id
  }

  current() {
    const { self } = this.#options
    const offer = self.engine()
    const engine = offer === null ? null : JSON.stringify(offer)
    return { id: this.#id, address: self.address(), status: JSON.stringify(self.status()), engine }
  }

  async register(): Promise<void> {
    const { records, self, clock } = this.#options
    const startedMs = clock.monotonicMs()
    const next = newId('node')
    const { name, version, certificate } = self
    await records.register({ ...this.current(), id: next, name, version, certificate })
    this.#id = next
    this.#confirmedMs = startedMs
    this.#beatsInTime = 0
    this.#isLost = false
  }

  /** One heartbeat, and a look at the other nodes. */
  async pass(isClosed: () => boolean): Promise<void> {
    const { endsOthers = true, log } = this.#options
    try {
      await this.#beat()
      if (endsOthers && this.#beatsInTime >= beatsBeforeJudging) await this.#settleDead(isClosed)
      this.#isUnreachable = false
    } catch (error) {
      if (!this.#isUnreachable) log.error('node_heartbeat_failed', { node: this.#id, cause: errorText(error) })
      this.#isUnreachable = true
    }
  }

  nextMs(): number {
    const { beatMs, jitter } = this.#options.times
    const intervalMs = this.#isUnreachable ? Math.min(beatMs, beatAgainMs) : beatMs
    return intervalMs * (1 + jitter * (2 * Math.random() - 1))
  }

  /** Others may have settled its requests by now, whatever the database would say. */
  loseIfSilent(): void {
    const { clock, times } = this.#options
    if (clock.monotonicMs() - this.#confirmedMs >= times.leaseMs) this.#lose()
  }

  #lose(): void {
    if (this.#isLost) return
    const { clock, log, onLost } = this.#options
    this.#isLost = true
    this.#beatsInTime = 0
    log.warn('node_lease_expired', { node: this.#id, silentMs: Math.round(clock.monotonicMs() - this.#confirmedMs) })
    onLost()
  }

  async #beat(): Promise<void> {
    const { records, times, clock, log } = this.#options
    const startedMs = clock.monotonicMs()
    this.loseIfSilent()
    const isOwn = await records.beat(this.current())
    if (!isOwn) {
      this.#lose()
      const before = this.#id
      await this.register()
      log.warn('node_registered_again', { node: this.#id, before })
      return
    }
    if (this.#isLost) log.info('node_lease_renewed', { node: this.#id })
    this.#isLost = false
    this.#beatsInTime = startedMs - this.#confirmedMs < times.leaseMs / 2 ? this.#beatsInTime + 1 : 0
    this.#confirmedMs = startedMs
  }

  async #settleDead(isClosed: () => boolean): Promise<void> {
    const { records, times, clock, log, onNodeEnded, today } = this.#options
    for (const dead of await records.endSilent(times.leaseMs)) {
      if (isClosed()) return
      const requests = await records.settle(dead.id, clock.now(), today())
      await onNodeEnded(dead.id, dead.name)
      const isRemoved = await records.removeEnded(dead.id)
      if (requests > 0 || isRemoved) log.warn('node_ended', { node: dead.id, name: dead.name, requests, isRemoved })
    }
  }
}

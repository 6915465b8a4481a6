import { setImmediate } from 'node:timers/promises'
import { createSingleNode } from '../../src/nodes/create-single-node.ts'
import type { NodeLease, NodeStatus } from '../../src/nodes/node-lease.ts'
import { leaseTimes, openNodeLease } from '../../src/nodes/open-node-lease.ts'
import type { NodeRecords } from '../../src/store/node-contract.ts'
import { createLogCatcher } from './log-catcher.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

export type ScratchLease = {
  lease: NodeLease
  clock: ManualClock
  logged: ReturnType<typeof createLogCatcher>['logged']
  /** What the next heartbeat says. */
  status: NodeStatus
  /** How often its answers had to end. */
  losses: number
  /** The nodes that it settled, in order. */
  ended: string[]
  /** Lets the time until the next heartbeat pass, and resolves once the heartbeat and what follows it have ended. */
  beat(): Promise<void>
}

const alone = { certificate: '', engine: () => null }
const times = { ...leaseTimes, jitter: 0 }
/** Timers of an open lease: the next heartbeat, the watch over it and the mark. */
const timers = 3

/** A node on a manual clock of its own. `records` is null for a single server. */
export const openScratchLease = async (records: NodeRecords | null, name: string): Promise<ScratchLease> => {
  const clock = createManualClock()
  const { log, logged } = createLogCatcher({ clock, format: 'json' })
  const node = {
    ...{ clock, logged, losses: 0, ended: [] as string[] },
    status: {
      running: 1,
      waiting: 2,
      models: [{ id: 'helix-v1', state: 'ready' }],
      memoryBytes: 3,
      engineMemoryBytes: 4,
      gpus: [],
      secretKeys: [],
      gpuFault: null,
      upstreams: [],
      busy: 0.5,
    },
    async beat() {
      clock.advance(times.beatMs)
      while (clock.pending() < timers) await setImmediate()
    },
  }
  const self = { name, version: '1.2.3', address: () => 'http://127.0.0.1:1', status: () => node.status, ...alone }
  const lease =
    records === null
      ? createSingleNode(self, clock)
      : await openNodeLease({
          ...{ records, self, times, clock, log },
          onLost() {
            node.losses += 1
          },
          onNodeEnded: async (id) => void node.ended.push(id),
          today: () => 20011115,
        })
  while (records !== null && clock.pending() < timers) await setImmediate()
  return Object.assign(node, { lease })
}

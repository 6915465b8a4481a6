import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { openPeriodicTask } from '../base/periodic-task.ts'
import type { NodeIdentity } from '../nodes/node-identity.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import { type LeaseTimes, leaseTimes } from '../nodes/open-node-lease.ts'
import { createEngineNodes } from '../upstreams/engine-nodes.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import type { Closers } from './closers.ts'

type EngineNodesDependencies = {
  node: Pick<NodeLease, 'list'>
  identity: NodeIdentity
  upstreams: Pick<UpstreamRegistry, 'setNodes'>
  times: LeaseTimes | undefined
  clock: Clock
  log: Log
  closers: Closers
}

const readEveryMs = 2_000

/** The engine nodes of the cluster. While they cannot be read, the last ones stay in use. */
export const openEngineNodes = async (dependencies: EngineNodesDependencies): Promise<void> => {
  const { node, identity, upstreams, times = leaseTimes, clock, log, closers } = dependencies
  const engines = createEngineNodes({ identity, leaseMs: times.leaseMs, setNodes: upstreams.setNodes, log })
  closers.add(() => engines.close())
  const first = Promise.withResolvers<void>()
  let isUnreadable = false
  const read = async (): Promise<void> => {
    try {
      engines.update(await node.list())
      isUnreadable = false
    } catch (error) {
      if (!isUnreadable) log.error('engine_nodes_unreadable', { cause: errorText(error) })
      isUnreadable = true
    }
    first.resolve()
  }
  const reading = openPeriodicTask(read, clock, readEveryMs)
  closers.add(() => reading.close())
  await first.promise
}

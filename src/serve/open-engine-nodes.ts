import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { Messages } from '../base/messages.ts'
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
  messages: Pick<Messages, 'subscribe'> | null
  times: LeaseTimes | undefined
  clock: Clock
  log: Log
  closers: Closers
}

/** Engine nodes that use Redis say that something changed; others, and those that died, are noticed so. */
const readEveryMs = 2_000

/** The engine nodes of the cluster. While they cannot be read, the last ones stay in use. */
export const openEngineNodes = async (dependencies: EngineNodesDependencies): Promise<void> => {
  const { node, identity, upstreams, messages, times = leaseTimes, clock, log, closers } = dependencies
  const engines = createEngineNodes({
    ...{ identity, leaseMs: times.leaseMs, log },
    setNodes: (entries) => upstreams.setNodes(entries),
  })
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
  const readInTurn = inTurn(read)
  const reading = openPeriodicTask(readInTurn, clock, readEveryMs)
  const unsubscribe = messages?.subscribe('engines', () => void readInTurn())
  closers.add(() => unsubscribe?.())
  closers.add(() => reading.close())
  await first.promise
}

/** A pass that began before a change does not count for it; however many changes there are, one more pass follows. */
const inTurn = (work: () => Promise<void>): (() => Promise<void>) => {
  let running = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= running.then(() => {
      next = null
      running = work()
      return running
    })
    return next
  }
}

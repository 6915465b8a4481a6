import type { Clock } from '../base/clock.ts'
import type { NodeLease, NodeSelf } from './node-lease.ts'

/** The lease of a server that has its database to itself: it never ends. */
export const createSingleNode = (self: NodeSelf, clock: Clock): NodeLease => {
  const { name, version, address, status, certificate } = self
  const startedAt = clock.now()
  return {
    id: () => singleId,
    list: async () => [
      {
        ...{ id: singleId, name, address: address(), version, startedAt, seenMsAgo: 0, status: status() },
        ...{ certificate, kind: 'server', engine: null, isOwn: true },
      },
    ],
    announce: async () => {},
    holdTask: async () => true,
    close: async () => {},
  }
}

const singleId = 'main'

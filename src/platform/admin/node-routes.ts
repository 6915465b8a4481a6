import type { NodeLease, NodeStatus } from '../../nodes/node-lease.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { nodeOperations } from '../contract/nodes.ts'

/** The nodes of the cluster, for the owner of the server. */
export const createNodeRoutes = (node: Pick<NodeLease, 'list'>): Route[] => [
  createRoute(nodeOperations.listNodes, async () => ({
    data: (await node.list()).map(({ certificate: _, engine: __, status, ...shown }) => ({
      ...shown,
      status: status === null ? null : shownStatus(status),
    })),
  })),
]

/** The figures of upstreams are shown with these, and checks by the doctor. */
const shownStatus = ({ upstreams: _, secretKeys: __, checks: ___, ...shown }: NodeStatus) => shown

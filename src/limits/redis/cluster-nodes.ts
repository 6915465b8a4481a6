import type { OpenRequest } from '../../store/node-contract.ts'

type ServerNode = {
  id: string
  /** Its heartbeat is overdue. */
  isSilent: boolean
}

/** The servers of the cluster, as the database knows them. */
export interface ClusterNodes {
  /** Those that have a lease, including this one. */
  list(): Promise<readonly ServerNode[]>
  /** Those that have none any more, and may have left requests that are not settled. */
  ended(): Promise<readonly string[]>
  /** A page of a node's requests that are not settled; an empty one is the end. */
  openRequests(nodeId: string, after: number): Promise<readonly OpenRequest[]>
}

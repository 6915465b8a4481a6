/** A server that shares the database with others. */
export type NodeRecord = {
  id: string
  name: string
  /** Where it listens. */
  address: string
  version: string
  startedAt: number
  /** How long ago its last heartbeat was, by the clock of the database. */
  seenMsAgo: number
  /** JSON text, for people. */
  status: string
  /** PEM; empty of a node that neither calls engine nodes nor is one. */
  certificate: string
  /** JSON text: what an engine node offers to the others. Null: it is a server. */
  engine: string | null
}

export type NewNode = Omit<NodeRecord, 'startedAt' | 'seenMsAgo'>
export type NodeHeartbeat = Pick<NodeRecord, 'id' | 'address' | 'status' | 'engine'>

/** A request that is not settled. */
export type OpenRequest = {
  /** Its place in the ledger. */
  sequence: number
  requestId: string
  organisationId: string
  keyId: string | null
  /** The most that it can be billed when it is settled at its last checkpoint: reserved, or counted there if that is more. */
  tokens: number
  costMicros: number
}

/**
 * The servers that share the database. Each has a lease that it renews with heartbeats. Another one ends the lease of a
 * node that stays silent, by the clock of the database. From that moment the node can neither renew it nor reserve, so
 * its open requests can be settled from their checkpoints.
 */
export interface NodeRecords {
  /** From now on this store reserves under the id. */
  register(node: NewNode): Promise<void>
  /** False if the lease was ended: the node must register under another id. */
  beat(heartbeat: NodeHeartbeat): Promise<boolean>
  /** Those whose lease was not ended, by name. */
  list(): Promise<NodeRecord[]>
  /** Ends the leases of nodes without a heartbeat for so long. Returns all whose lease was ended and that were not removed yet. */
  endSilent(leaseMs: number): Promise<Pick<NodeRecord, 'id' | 'name'>[]>
  /** Settles the open requests of a node whose lease was ended, at their last checkpoints. Returns how many. */
  settle(id: string, now: number, day: number): Promise<number>
  /** Nodes whose lease was ended, or that had none: they may have left requests that are not settled yet. */
  ended(): Promise<string[]>
  /** A page of a node's requests that are not settled: the first thousand after this place. */
  openRequests(id: string, after: number): Promise<OpenRequest[]>
  /** Removes a node whose lease was ended long enough ago that nothing of it can still arrive. False: it is too early. */
  removeEnded(id: string): Promise<boolean>
  /** The node stops. What it could not settle is left to the others. */
  leave(id: string): Promise<void>
  /** Remembers up to where all requests of this node are settled, so that less has to be read if it dies. */
  advanceMark(): Promise<void>
  /** The clock of the database, in milliseconds since 1970. */
  databaseNow(): Promise<number>
  /** Reserves a task for this node, or extends its reservation. False while another node has it. */
  holdTask(name: string, forMs: number): Promise<boolean>
}

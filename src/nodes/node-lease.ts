/**
 * The servers that share a database, and this one among them. May import `store` and `base`. Promises that the open requests of
 * a node that died are settled from their checkpoints by another, and that a node that was taken for dead does not go
 * on unbilled: its answers end, and it continues under another id.
 */

import type { PauseReason } from '../config/upstream-names.ts'
import type { EngineOffer } from './engine-offer.ts'
import type { NodeCheck } from './node-check.ts'

/** The load of a node, as shown to operators. */
export type NodeStatus = {
  /** Answers that are being generated. */
  running: number
  /** Requests that wait for a slot. */
  waiting: number
  /** The models it serves, and whether each is ready. */
  models: { id: string; state: string }[]
  /** Memory of the process, without its engines. */
  memoryBytes: number
  /** Memory of its engine processes together; null without one, and for nodes of an earlier version. */
  engineMemoryBytes: number | null
  /** The GPUs that its engines run on, their memory and the library that uses them; empty on CPUs, and for nodes of an earlier version. */
  gpus: readonly string[]
  /**
   * Why an engine runs on the CPU although it should use a GPU; null if none does, and for nodes of an earlier version.
   */
  gpuFault: string | null
  /** The share of the time that its main thread was busy since the last heartbeat, from 0 to 1. */
  busy: number
  /** For a server: the upstreams that it uses. Older versions do not report them. */
  upstreams?: readonly UpstreamFigures[]
  /** For a server: the fingerprints of its secret keys, the one that encrypts first. Older versions do not report them. */
  secretKeys?: readonly string[]
  /** What it has found out about its dependencies. Older versions do not report it. */
  checks?: readonly NodeCheck[]
}

/** A server's view of one upstream. */
export type UpstreamFigures = {
  name: string
  inFlight: number
  /** In the last five minutes. */
  requests: number
  errors: number
  outstandingTokens: number
  /** Null unless this server has paused it. */
  pauseReason: PauseReason | null
}

export type ListedNode = {
  id: string
  name: string
  address: string
  version: string
  startedAt: number
  /** How long ago its last heartbeat was. */
  seenMsAgo: number
  /** Null if it is of another version and cannot be read. */
  status: NodeStatus | null
  /** PEM; empty if it has none. */
  certificate: string
  /** `server`: answers callers. `engine`: only runs models, for servers. */
  kind: 'server' | 'engine'
  /** What an engine node offers to the others. Null for a server, and if it cannot be read. */
  engine: EngineOffer | null
  /** Whether it is the node that was asked. */
  isOwn: boolean
}

export interface NodeLease {
  /** The id under which this server reserves. It changes when the node registers again after its lease has ended. */
  id(): string
  /** The registered nodes, by name. A single server lists itself. */
  list(): Promise<ListedNode[]>
  /**
   * Whether this node may perform a task that only one node performs at a time. The permission lasts for `forMs`; a
   * node that works longer asks again.
   */
  holdTask(name: string, forMs: number): Promise<boolean>
  /** Publishes a change at once instead of with the next heartbeat. Does not wait for long, and never fails. */
  announce(): Promise<void>
  /** Call it once the requests of this node are settled. */
  close(): Promise<void>
}

/** What a node says about itself. */
export type NodeSelf = {
  name: string
  version: string
  /** Where it listens; empty until it does. */
  address(): string
  status(): NodeStatus
  /** PEM; empty if it has none. */
  certificate: string
  /** Null unless it is an engine node. */
  engine(): EngineOffer | null
}

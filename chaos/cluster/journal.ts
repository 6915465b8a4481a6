import type { CallEntry } from '../upstreams/journal.ts'

type Sent = Extract<CallEntry, { event: 'sent' }>
type Ended = Extract<CallEntry, { event: 'ended' }>

/** Lines of the journals of this run, see `ledger/journal.ts`. */
export type ClusterCallEntry = (Sent & { node: string; life: number; keyId: string; isKeyed: boolean }) | Ended

/** `part`: a node, a database, an upstream, or the connection between two, such as `node-1 to redis`. */
export type ClusterFaultEntry = { event: 'began' | 'over'; kind: FaultKind; part: string }
export type FaultKind = 'kill' | 'pause' | 'long pause' | 'cut' | 'stall' | 'read-only' | 'flush'

/** A node whose clock is wrong, by this much. */
export type ClockEntry = { event: 'clock'; node: string; aheadMs: number }

/** What the operator set for a key. */
export type KeyEntry = { event: 'key'; keyId: string; requestsPerMinute: number | null; tokensPerDay: number | null }

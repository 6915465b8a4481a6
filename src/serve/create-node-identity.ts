import { createSelfSigned } from '../http/tls/self-signed.ts'
import type { NodeIdentity } from '../nodes/node-identity.ts'

/** The lease of the node says how long its certificate counts, by the clock of the database; the clocks of machines may be wrong. */
const validity = { now: Date.UTC(2000, 0, 1), validUntil: Date.UTC(9999, 11, 31, 23, 59, 59) }

/** A new one for each process: its key never leaves the memory. */
export const createNodeIdentity = (): NodeIdentity => createSelfSigned(validity)

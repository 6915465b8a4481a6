import { X509Certificate } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { ListedNode, NodeLease } from '../../nodes/node-lease.ts'

/** Which certificates belong to servers of this cluster: those that are registered and have a live lease. */
export interface NodeTrust {
  /** The id of the server with this certificate; null if there is none. Rejects if that cannot be known at the moment. */
  findServer(fingerprint: string): Promise<string | null>
}

type NodeTrustOptions = { node: Pick<NodeLease, 'list'>; leaseMs: number; clock: Clock }

/** A server that ended can still be served for so long. */
const freshMs = 1_000
/** A new server is noticed within this time, and strangers cannot cause more reads. */
const leastPauseMs = 200

type Read = { startedMs: number; servers: Map<string, string> }

export const createNodeTrust = ({ node, leaseMs, clock }: NodeTrustOptions): NodeTrust => {
  let last: Read | null = null
  let reading: Promise<Read> | null = null

  const readNow = async (): Promise<Read> => {
    if (last !== null) await pause(clock, last.startedMs + leastPauseMs - clock.monotonicMs())
    const startedMs = clock.monotonicMs()
    const servers = (await node.list()).filter(isServer).filter(({ seenMsAgo }) => seenMsAgo < leaseMs)
    last = { startedMs, servers: new Map(servers.map(({ id, certificate }) => [readFingerprint(certificate), id])) }
    return last
  }
  const read = (): Promise<Read> => {
    reading ??= readNow().finally(() => {
      reading = null
    })
    return reading
  }
  return {
    async findServer(fingerprint) {
      const isFresh = last !== null && clock.monotonicMs() - last.startedMs < freshMs
      const known = last?.servers.get(fingerprint)
      if (isFresh && known !== undefined) return known
      try {
        return (await read()).servers.get(fingerprint) ?? null
      } catch (error) {
        // The database is away: servers that were known go on, but not for longer than their leases can last.
        if (known !== undefined && last !== null && clock.monotonicMs() - last.startedMs < leaseMs) return known
        throw error
      }
    },
  }
}

const isServer = ({ kind, certificate }: ListedNode): boolean => kind === 'server' && certificate !== ''

const readFingerprint = (certificate: string): string => new X509Certificate(certificate).fingerprint256

const pause = (clock: Clock, ms: number): Promise<void> =>
  ms <= 0 ? Promise.resolve() : new Promise((resolve) => clock.after(ms, resolve))

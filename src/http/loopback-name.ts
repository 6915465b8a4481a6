import { once } from 'node:events'
import { createServer } from 'node:net'

/** Each loopback address, and the other one that `localhost` may stand for. */
const otherLoopback: Record<string, string> = { '127.0.0.1': '::1', '::1': '127.0.0.1' }

/**
 * The host to print for a server that listens at this address. A loopback address is called `localhost`: browsers make
 * passkeys for a name only, and for this one without TLS. Clients that resolve it to the other loopback address first go
 * on to ours when nobody listens there; where another program does, they would reach that one, so the address stays.
 */
export const loopbackName = async (host: string, port: number): Promise<string> => {
  const other = otherLoopback[host]
  if (other === undefined) return host
  return (await isTaken(other, port)) ? host : 'localhost'
}

/** A machine without IPv6 has nobody there either. */
const isTaken = async (host: string, port: number): Promise<boolean> => {
  const probe = createServer()
  try {
    probe.listen({ port, host, exclusive: true })
    await once(probe, 'listening')
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  } finally {
    probe.close()
  }
}

import { once } from 'node:events'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { errorCode } from '../base/caught-error.ts'

/** Each loopback address, and the other one that `localhost` may resolve to. */
const otherLoopback: Record<string, string> = { '127.0.0.1': '::1', '::1': '127.0.0.1' }

/**
 * The host to print for a server that listens on this address. A loopback address is printed as `localhost`: browsers create
 * passkeys only for a name, and for this one without TLS. Clients that resolve it to the other loopback address first fall
 * back to ours if nothing listens there; if another program does, they would reach that one, so the address is printed.
 * An address that stands for all addresses leads nowhere: then it is the first by which other machines may reach this one.
 */
export const loopbackName = async (host: string, port: number): Promise<string> => {
  if (isEveryAddress(host)) return ownAddress() ?? 'localhost'
  const other = otherLoopback[host]
  if (other === undefined) return host
  return (await isTaken(other, port)) ? host : 'localhost'
}

const isEveryAddress = (host: string): boolean => host === '0.0.0.0' || /^[0:]*:[0:]*$/.test(host)

const ownAddress = (): string | undefined => {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
}

/** On a machine without IPv6 nothing listens there either. */
const isTaken = async (host: string, port: number): Promise<boolean> => {
  const probe = createServer()
  try {
    probe.listen({ port, host, exclusive: true })
    await once(probe, 'listening')
    return false
  } catch (error) {
    return errorCode(error) === 'EADDRINUSE'
  } finally {
    probe.close()
  }
}

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** A load balancer in its simplest form: each request goes to the next server, whoever sends it. */
export const openRoundRobin = async () => {
  const targets: string[] = []
  const served: number[] = []
  const server = createServer((incoming, outgoing) => {
    const index = served.length % targets.length
    served.push(index + 1)
    const { hostname, port } = new URL(targets[index] ?? '')
    const headers = { ...incoming.headers, connection: 'close' }
    const { method = 'GET', url: path = '/' } = incoming
    const forwarded = request({ hostname, port, method, path, headers, agent: false })
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      // A client that waits for the first event already needs the headers.
      outgoing.flushHeaders()
      pipeline(response, outgoing, () => {})
    })
    pipeline(incoming, forwarded, (error) => {
      if (error) outgoing.destroy()
    })
    // Whoever leaves, leaves the server too.
    outgoing.on('close', () => forwarded.destroy())
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return {
    /** With a name instead of an address, which passkeys need. */
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    targets,
    /** The number of the server of each request so far; the first is 1. */
    served,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Stands between the server and the database, and can be cut. */
export const openRelay = async (target: string) => {
  const url = new URL(target)
  /** Of a server that has no address, only a socket. */
  const directory = url.searchParams.get('host')
  const targetPort = url.port === '' ? 5432 : Number(url.port)
  const sockets = new Set<Socket>()
  const listener = createServer((near) => {
    const far = directory === null ? connect(targetPort, url.hostname) : connect(`${directory}/.s.PGSQL.${targetPort}`)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const listen = async (port: number): Promise<number> => {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const port = await listen(0)
  const cut = async (): Promise<void> => {
    const closed = once(listener, 'close')
    listener.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  onTestFinished(() => (listener.listening ? cut() : undefined))
  const relayed = new URL(target)
  relayed.hostname = '127.0.0.1'
  relayed.searchParams.delete('host')
  relayed.port = String(port)
  return { url: relayed.href, cut, mend: () => listen(port) }
}

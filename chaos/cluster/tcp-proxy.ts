import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** Between a node and one of its databases, so that the connection can fail while both go on. */
export interface TcpProxy {
  readonly port: number
  /** Breaks all connections, and every new one at once. */
  cut(): void
  /** Nothing passes in either direction, and nobody is told. */
  stall(): void
  /** Everything passes again. */
  pass(): void
  close(): Promise<void>
}

export const openTcpProxy = async (target: NetConnectOpts): Promise<TcpProxy> => {
  let state: 'passing' | 'cut' | 'stalled' = 'passing'
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = connect(target)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
      if (state === 'stalled') socket.pause()
    }
    join(near, far)
    join(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens on a port')

  const join = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      if (!to.write(bytes)) from.pause()
    })
    to.on('drain', () => {
      if (state !== 'stalled') from.resume()
    })
    from.on('end', () => to.end())
  }
  return {
    port: address.port,
    cut() {
      state = 'cut'
      for (const socket of sockets) socket.destroy()
    },
    stall() {
      state = 'stalled'
      for (const socket of sockets) socket.pause()
    },
    pass() {
      state = 'passing'
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

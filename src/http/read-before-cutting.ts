import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A process that stood still (SIGSTOP, a virtual machine that was moved, a laptop that slept) finds all timeouts due before it
 * has read what arrived in the meantime. So no connection is cut for its silence before one turn of the event loop has read
 * it: a request that is complete by then is answered.
 */
export const readBeforeCutting = (server: Server, bodyTimeoutMs: number) => {
  /** The last request of each connection. */
  const requests = new WeakMap<Socket, IncomingMessage>()
  // Before the other listeners, which answer it.
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, (request: IncomingMessage) => void requests.set(request.socket, request))

  /** Calls `cut` after a turn, unless that turn has completed a request or begun one. */
  const afterOneTurn = (socket: Socket, cut: () => void): void => {
    const before = requests.get(socket)
    const wasComplete = before?.complete === true
    setImmediate(() => {
      const request = requests.get(socket)
      if (request === undefined || (request === before && (wasComplete || !request.complete))) return cut()
      // Node does not watch a request any more that it has reported once.
      if (!request.complete) setTimeout(() => request.complete || cut(), bodyTimeoutMs).unref()
    })
  }

  // An idle connection: Node closes it by itself unless somebody listens.
  server.on('timeout', (socket: Socket) => {
    const before = socket.bytesRead
    setImmediate(() => {
      if (socket.bytesRead === before) socket.destroy()
    })
  })
  return afterOneTurn
}

import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export type ReceivedHook = { path: string; headers: IncomingHttpHeaders; body: string }

/** A real server that endpoints point to. `answer` decides what each gets; by default 204. */
export const startReceiver = async (
  answer: (response: ServerResponse, hook: ReceivedHook, count: number) => void = (response) =>
    response.writeHead(204).end(),
) => {
  const hooks: ReceivedHook[] = []
  const arrivals = new EventEmitter()
  const server = createServer(async (request, response) => {
    const hook = { path: request.url ?? '', headers: request.headers, body: await text(request) }
    hooks.push(hook)
    arrivals.emit('hook')
    answer(response, hook, hooks.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    hooks,
    /** Resolves to the one with that number (1 is the first) once it arrives. */
    async hook(count = 1): Promise<ReceivedHook> {
      while (hooks.length < count) await once(arrivals, 'hook')
      return hooks[count - 1] ?? { path: '', headers: {}, body: '' }
    },
  }
}

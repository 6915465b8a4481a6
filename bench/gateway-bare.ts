import { Agent, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The least that a proxy in Node can do: it copies requests and answers, and knows neither keys nor limits nor a ledger. Its
 * argument is the upstream's port.
 */
const port = Number(process.argv[2])
const agent = new Agent({ keepAlive: true })

const server = createServer((request, response) => {
  const { method, url, headers } = request
  const outgoing = send({ host: '127.0.0.1', port, method, path: url, headers, agent }, (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers)
    incoming.pipe(response)
  })
  request.pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The least that a server can do with a body: it reads it, discards it and refuses it. */
const server = createServer((request, response) => {
  request.on('end', () => response.writeHead(400).end())
  request.resume()
})
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on('disconnect', () => process.exit())

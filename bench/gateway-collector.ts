import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** In place of an OpenTelemetry collector: it accepts everything, and keeps nothing. */
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.end('{}'))
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())

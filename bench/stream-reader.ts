import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'

/** The client for `stream-write`: opens many streams at once, reads each to its end and reports the bytes received. */
const readStream = async ({ address, port }: AddressInfo): Promise<number> => {
  const socket = connect(port, address)
  socket.write(`GET / HTTP/1.1\r\nhost: ${address}\r\nconnection: close\r\n\r\n`)
  socket.resume()
  await once(socket, 'end')
  return socket.bytesRead
}

process.on('message', async ({ address, streams }: { address: AddressInfo; streams: number }) => {
  const counts = await Promise.all(Array.from({ length: streams }, () => readStream(address)))
  process.send?.(counts.reduce((sum, count) => sum + count, 0))
})

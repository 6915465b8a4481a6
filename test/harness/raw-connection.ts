import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type RawAnswer = { status: number; headers: Headers; body: string }

/** A bare TCP connection to the server, for input that no HTTP client would send. */
export type RawConnection = {
  socket: Socket
  send(text: string | Uint8Array): void
  /** The next whole answer; interim ones (1xx) count as separate answers. */
  answer(options?: { toHead?: boolean }): Promise<RawAnswer>
  /** Resolves to the unread data once the server has closed the connection; rejects on a reset. */
  ended(): Promise<string>
}

export const openRawConnection = async (url: string): Promise<RawConnection> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  onTestFinished(() => {
    socket.destroy()
  })
  let received = Buffer.alloc(0)
  let wake = (): void => {}
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    wake()
  })
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
  closed.catch(() => {})
  socket.on('close', () => {
    resolve()
    wake()
  })
  socket.on('error', reject)
  await once(socket, 'connect')

  const until = async <Value>(find: () => Value | null): Promise<Value> => {
    for (;;) {
      const found = find()
      if (found !== null) return found
      if (socket.closed) {
        await closed
        throw new Error(`the connection ended after ${JSON.stringify(received.toString())}`)
      }
      await new Promise<void>((again) => {
        wake = again
      })
    }
  }
  const take = (length: number): Buffer => {
    const taken = received.subarray(0, length)
    received = received.subarray(length)
    return taken
  }
  return {
    socket,
    send: (text) => socket.write(text),
    async answer({ toHead = false } = {}) {
      const headLength = await until(() => positionAfter(received, '\r\n\r\n'))
      const [statusLine = '', ...lines] = take(headLength).toString('latin1').trimEnd().split('\r\n')
      const headers = new Headers(lines.map((line) => splitHeader(line)))
      const status = Number(statusLine.split(' ')[1])
      const empty = toHead || status < 200 || status === 204
      const chunked = headers.get('transfer-encoding') === 'chunked'
      const length = Number(headers.get('content-length') ?? 0)
      const bodyLength = empty
        ? 0
        : await until(() =>
            chunked ? positionAfter(received, '0\r\n\r\n') : received.length >= length ? length : null,
          )
      return { status, headers, body: take(bodyLength).toString() }
    },
    async ended() {
      await closed
      return received.toString()
    },
  }
}

const positionAfter = (bytes: Buffer, mark: string): number | null => {
  const at = bytes.indexOf(mark)
  return at === -1 ? null : at + mark.length
}

const splitHeader = (line: string): [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}

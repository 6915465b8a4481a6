import type { OutgoingHttpHeaders } from 'node:http'
import { writeHead } from '../http/answer-headers.ts'
import { contentEncoding } from '../http/content-encoding.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Content } from './content.ts'

/** Sends content in an encoding that the client accepts, or 304 if it has it already. */
export const sendContent = (
  exchange: Exchange,
  status: number,
  content: Content,
  headers: OutgoingHttpHeaders,
): void => {
  const { request, response } = exchange
  const shared = { ...headers, etag: content.etag }
  if (status === 200 && hasAlready(request.headers['if-none-match'], content.etag)) {
    writeHead(exchange, 304, shared)
    response.end()
    return
  }
  const coding = contentEncoding(request)
  const packed = coding === 'identity' ? null : content.packed(coding)
  const send = (compressed: Buffer | null): void => {
    // The client may have disconnected while it was compressed.
    if (response.destroyed) return
    const body = compressed ?? content.plain
    writeHead(exchange, status, {
      ...shared,
      'content-length': body.length,
      ...(compressed === null ? {} : { 'content-encoding': coding }),
    })
    response.end(body)
  }
  if (packed instanceof Promise) void packed.then(send)
  else send(packed)
}

const hasAlready = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((each) => each.trim() === etag))

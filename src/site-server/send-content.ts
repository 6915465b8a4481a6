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
  const packed = coding === 'identity' ? null : content[coding]
  const body = packed ?? content.plain
  writeHead(exchange, status, {
    ...shared,
    'content-length': body.length,
    ...(packed === null ? {} : { 'content-encoding': coding }),
  })
  response.end(body)
}

const hasAlready = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((each) => each.trim() === etag))

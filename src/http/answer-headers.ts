import type { OutgoingHttpHeaders } from 'node:http'
import type { Exchange } from './exchange.ts'

/** The version of the API whose shapes we answer in, as the official service names it. */
export const versionHeader = { 'openai-version': '2020-10-01' }

/**
 * The one place where the head of an answer goes out: JSON, errors and streams alike. There is no `openai-project`, because
 * keys belong to organisations and to nothing below them.
 */
export const writeHead = (
  exchange: Answer,
  status: number,
  headers: OutgoingHttpHeaders,
  { isEarly = false } = {},
): void => {
  const { response, elapsedMs } = exchange
  // Where the answer is still to be made, the request and its body are still in use.
  if (!isEarly) exchange.releaseBody()
  response.setHeader('openai-processing-ms', Math.max(0, Math.round(elapsedMs())))
  response.writeHead(status, headers)
}

type Answer = Pick<Exchange, 'response' | 'elapsedMs' | 'releaseBody'>

import type { OutgoingHttpHeaders } from 'node:http'
import type { Exchange } from './exchange.ts'

/** The API version of our responses, as the official service names it. */
export const versionHeader = { 'openai-version': '2020-10-01' }

/**
 * The only place where the headers of a response are sent: JSON, errors and streams alike. There is no `openai-project`,
 * because keys belong directly to organisations.
 */
export const writeHead = (
  exchange: AnsweredExchange,
  status: number,
  headers: OutgoingHttpHeaders,
  { isEarly = false } = {},
): void => {
  const { response, elapsedMs } = exchange
  // While the answer is still to be generated, the request and its body are still in use.
  if (!isEarly) exchange.releaseBody()
  response.setHeader('openai-processing-ms', Math.max(0, Math.round(elapsedMs())))
  response.writeHead(status, headers)
}

type AnsweredExchange = Pick<Exchange, 'response' | 'elapsedMs' | 'releaseBody'>

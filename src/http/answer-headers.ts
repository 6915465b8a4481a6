import type { OutgoingHttpHeaders } from 'node:http'
import type { Exchange } from './exchange.ts'

/** The version of the API whose shapes we answer in, as the official service names it. */
export const versionHeader = { 'openai-version': '2020-10-01' }

/**
 * The one place where the head of an answer goes out: JSON, errors and streams alike. There is no `openai-project`, because
 * keys belong to organisations and to nothing below them.
 */
export const writeHead = (exchange: Answer, status: number, headers: OutgoingHttpHeaders): void => {
  const { response, elapsedMs, releaseBody } = exchange
  releaseBody()
  response.setHeader('openai-processing-ms', Math.max(0, Math.round(elapsedMs())))
  response.writeHead(status, headers)
}

type Answer = Pick<Exchange, 'response' | 'elapsedMs' | 'releaseBody'>

import { Agent, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import { ApiError } from '../../base/api-error.ts'
import { errorText, type Log } from '../../base/log.ts'
import { headersToPass, peerHeaders } from '../../http/passed-on.ts'

/** Has the authority answer a request, with this body if it was read already. Never rejects: it has answered in any case. */
export type PassOn = (request: IncomingMessage, response: ServerResponse, body?: Uint8Array) => Promise<void>

type PassOnOptions = { socketPath: string; log: Log; closesConnections(): boolean }

/** Requests go to the authority as HTTP over a Unix socket, and their responses come back as they are. */
export const createPassOn = ({ socketPath, log, closesConnections }: PassOnOptions): PassOn => {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  return (request, response, body) =>
    new Promise((resolve) => {
      const { method, url: path } = request
      const isWhole = body !== undefined
      const headers = [
        ...headersToPass(request.rawHeaders, (name) => isWhole && name === 'content-length'),
        ...peerHeaders(request),
        ...(isWhole ? ['content-length', String(body.length)] : []),
        // Without either, Node would send no body.
        ...(!isWhole && request.headers['transfer-encoding'] !== undefined ? ['transfer-encoding', 'chunked'] : []),
      ]
      const asked = openRequest({ socketPath, agent, method, path, headers, setDefaultHeaders: false })
      const fail = (error: unknown): void => {
        if (!response.destroyed) log.error('pass_on_failed', { cause: errorText(error) })
        if (response.headersSent || response.destroyed) response.destroy()
        else sendFailure(response)
      }
      response.once('close', () => {
        if (!response.writableFinished) asked.destroy()
        resolve()
      })
      asked.on('error', fail)
      asked.on('response', (answer) => {
        for (const name of response.getHeaderNames()) response.removeHeader(name)
        const passed = headersToPass(answer.rawHeaders)
        if (closesConnections()) passed.push('connection', 'close')
        response.writeHead(answer.statusCode ?? 500, answer.statusMessage, passed)
        response.flushHeaders()
        answer.on('error', fail)
        answer.pipe(response)
      })
      if (isWhole) asked.end(body)
      else request.pipe(asked)
    })
}

/** The authority is always there, except when it is about to end. */
const sendFailure = (response: ServerResponse): void => {
  const { status, message, type, code } = ApiError.of('shutting_down', {})
  const body = JSON.stringify({ error: { message, type, param: null, code } })
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' })
  response.end(body)
}

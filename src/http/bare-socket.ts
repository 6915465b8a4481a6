import type { Socket } from 'node:net'
import type { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import { newRequestId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import { versionHeader } from './answer-headers.ts'
import { errorBody } from './error-body.ts'
import type { LocateRequest } from './forwarded.ts'

type BareSocketDependencies = { locate: LocateRequest; clock: Clock; log: Log }

/** Answers input that is not a request, on the bare socket, with an id and a log event like every other response. */
export const answerBareSocket = (
  socket: Socket,
  error: ApiError,
  { locate, clock, log }: BareSocketDependencies,
): void => {
  const requestId = newRequestId(clock.now())
  const { clientAddress } = locate(socket.remoteAddress, {}, false)
  log.info('request', { requestId, status: error.status, clientAddress, error: error.errorName })
  const body = JSON.stringify(errorBody(error))
  const head = [
    `HTTP/1.1 ${error.status} ${error.errorName}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(versionHeader).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

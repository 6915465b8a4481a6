import { errorCode } from '../base/caught-error.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import type { Config } from '../config/settings.ts'
import { type Control, controlOperations, type ServerControl, serverOperations } from '../control/control.ts'
import { controlSocketPath } from '../http/control-socket.ts'
import { createClient, type OperationRequest } from '../operations/client.ts'
import { type Endpoint, NoAnswer, readText, send } from './http-client.ts'
import { lockWaitMs } from './lock-wait.ts'

/** A healthy server answers immediately. */
const answerWaitMs = 3000

/** How long the data directory is waited for before a server is looked for again. */
const lockTryMs = 250

/**
 * Operates on one data directory: through the running server if there is one, otherwise by opening the database. A server
 * that is starting has the directory before it listens, so both are tried until `waitMs` are over.
 */
export const withControl = async <Result>(
  config: Config,
  work: (control: Control) => Promise<Result>,
  waitMs = lockWaitMs,
): Promise<Result> => {
  const giveUpAtMs = systemClock.monotonicMs() + waitMs
  for (;;) {
    const endpoint = await findServer(config)
    if (endpoint !== null) return work(throughServer(endpoint))
    // Most of the program, which a command through the server does not need.
    const { withStoreControl } = await import('./store-control.ts')
    const { DataDirectoryBusy } = await import('../store/data-directory.ts')
    try {
      return await withStoreControl(config, work, Math.min(waitMs, lockTryMs))
    } catch (error) {
      if (!(error instanceof DataDirectoryBusy)) throw error
      if (systemClock.monotonicMs() >= giveUpAtMs)
        throw new OperatorError(
          `A server on ${config.dataDir} is starting or stopping, or another command is running; try again in a moment`,
        )
    }
  }
}

/** Returns null if no server runs on this data directory. */
export const findServer = async (config: Config): Promise<Endpoint | null> => {
  const endpoint = { socketPath: controlSocketPath(config.dataDir) }
  try {
    const response = await send(endpoint, { method: 'GET', path: '/healthz', timeoutMs: answerWaitMs })
    await readText(response)
    return endpoint
  } catch (error) {
    if (error instanceof NoAnswer)
      throw new OperatorError(`The server using ${config.dataDir} is running but not responding; check its log`)
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ECONNREFUSED') return null
    if (code === 'EACCES')
      throw new OperatorError(
        `The server using ${config.dataDir} belongs to another user; run the command as that user`,
      )
    throw error
  }
}

/** Calls the running server. */
export const throughServer = (endpoint: Endpoint): Control & ServerControl =>
  createClient({ ...controlOperations, ...serverOperations }, (request) => call(endpoint, request))

/** For what needs a running server. */
export const requireServer = async (config: Config): Promise<ServerControl> => {
  const endpoint = await findServer(config)
  if (endpoint === null) throw new OperatorError(`No server is running on ${config.dataDir}; start it first`)
  return throughServer(endpoint)
}

/** The server understood a command and did not do it. */
export class RefusedByServer extends OperatorError {
  readonly status: number

  constructor(status: number, answer: unknown) {
    super(errorMessage(answer))
    this.status = status
  }
}

/** Trusts the response shape: only the data directory's owner can listen on its socket. */
const call = async (endpoint: Endpoint, request: OperationRequest): Promise<unknown> => {
  const { status, answer } = await exchange(endpoint, request).catch((error) => {
    throw new OperatorError(`The server closed the connection (${error.message}); run the command again`)
  })
  if (status >= 400) throw new RefusedByServer(status, answer)
  return answer
}

const exchange = async (endpoint: Endpoint, request: OperationRequest) => {
  const response = await send(endpoint, request)
  return { status: response.statusCode ?? 500, answer: parseJsonText(await readText(response)) }
}

export const errorMessage = (answer: unknown): string => {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : null
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : null
  return typeof message === 'string' ? message : 'The server returned an unrecognised error.'
}

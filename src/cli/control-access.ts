import { createSeal } from '../accounts/secrets/seal.ts'
import { createSuspensions } from '../accounts/suspensions.ts'
import { ApiError } from '../base/api-error.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import type { Config } from '../config/settings.ts'
import {
  type Control,
  controlOperations,
  createControl,
  type ServerControl,
  serverOperations,
} from '../control/control.ts'
import { controlSocketPath } from '../http/control-socket.ts'
import { createKeyRegistry } from '../keys/key-registry.ts'
import { createLimiter } from '../limits/create-limiter.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import { listNodes } from '../nodes/list-nodes.ts'
import { createClient, type OperationRequest } from '../operations/client.ts'
import type { Store } from '../store/contract.ts'
import { type DataDirectory, lockDataDirectory } from '../store/data-directory.ts'
import { openStore } from '../store/open-store.ts'
import { loadSecretKey } from '../store/secret-key.ts'
import { configuredUpstreams } from '../upstreams/configured-upstreams.ts'
import { openUpstreamRegistry, type UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import { createUpstreamSet } from '../upstreams/upstream-set.ts'
import { type Endpoint, NoAnswer, readText, send } from './http-client.ts'

/** A starting server or another command may hold the directory for a short time. */
export const lockWaitMs = 3000
/** A healthy server answers immediately. */
const answerWaitMs = 3000

/** Operates on one data directory: through the running server if there is one, otherwise by opening the database. */
export const withControl = async <Result>(
  config: Config,
  work: (control: Control) => Promise<Result>,
): Promise<Result> => {
  const endpoint = await findServer(config)
  if (endpoint !== null) return work(throughServer(endpoint))
  const directory = await lockDataDirectory(config.dataDir, { clock: systemClock, waitMs: lockWaitMs })
  try {
    const store = await openStore({ config, directory, clock: systemClock })
    try {
      return await work(throughStore(store, directory, config))
    } catch (error) {
      throw error instanceof ApiError ? new OperatorError(error.message) : error
    } finally {
      await store.close()
    }
  } finally {
    directory.release()
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
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ECONNREFUSED') return null
    if (code === 'EACCES')
      throw new OperatorError(
        `The server using ${config.dataDir} belongs to another user; run the command as that user`,
      )
    throw error
  }
}

const throughStore = (store: Store, directory: DataDirectory, config: Config): Control => {
  const clock = systemClock
  // Created only for limit commands, because it reads the last minute of the ledger.
  const limiter = (): Promise<Limiter> =>
    createLimiter({ store, clock, settings: config, priceOf: () => null, hasFreeModel: () => true })
  const upstreams = (): Promise<UpstreamRegistry> =>
    openUpstreamRegistry({
      configured: configuredUpstreams(config),
      records: store.upstreams,
      seal: createSeal(loadSecretKey(directory, config.secretKey)),
      set: createUpstreamSet({ clock, log: silent }),
      clock,
      log: silent,
    })
  return createControl({
    store,
    upstreams,
    // Those that run elsewhere.
    listNodes: async () => (store.nodes === null ? [] : listNodes(store.nodes, null)),
    clock,
    timeZone: config.timeZone,
    currency: config.currency,
    keys: createKeyRegistry({ store, clock }),
    suspensions: createSuspensions({ store, clock, onSuspended: () => {}, onResumed: () => {} }),
    limiter: { usageSnapshots: async (...whose) => (await limiter()).usageSnapshots(...whose), forget: () => {} },
  })
}

const silent = { info: () => {}, warn: () => {}, error: () => {} }

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

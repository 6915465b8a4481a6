import { createSeal } from '../accounts/secrets/seal.ts'
import { createSuspensions } from '../accounts/suspensions.ts'
import { ApiError } from '../base/api-error.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Config } from '../config/settings.ts'
import type { Control } from '../control/control.ts'
import { createControl } from '../control/create-control.ts'
import { controlSocketPath } from '../http/control-socket.ts'
import { createKeyRegistry } from '../keys/key-registry.ts'
import { createLimiter } from '../limits/create-limiter.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import { listNodes } from '../nodes/list-nodes.ts'
import type { Store } from '../store/contract.ts'
import { type DataDirectory, lockDataDirectory } from '../store/data-directory.ts'
import { openStore } from '../store/open-store.ts'
import { loadSecretKey } from '../store/secret-key.ts'
import { configuredUpstreams } from '../upstreams/configured-upstreams.ts'
import { openUpstreamRegistry, type UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import { createUpstreamSet } from '../upstreams/upstream-set.ts'
import { type ClientRequest, type Endpoint, NoAnswer, readText, send } from './http-client.ts'

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

const throughServer = (endpoint: Endpoint): Control => {
  const get = <Answer>(path: string): Promise<Answer> => call<Answer>(endpoint, 'GET', `/control${path}`)
  const post = <Answer>(path: string, body?: unknown): Promise<Answer> =>
    call<Answer>(endpoint, 'POST', `/control${path}`, body)
  const named = encodeURIComponent
  return {
    createKey: (wanted) => post('/keys', wanted),
    listKeys: () => get('/keys'),
    revokeKey: (key) => post(`/keys/${named(key)}/revoke`),
    rotateKey: (key, rotation) => post(`/keys/${named(key)}/rotate`, rotation),
    showLimits: (subject) => get(`/limits/${named(subject)}`),
    setLimits: (subject, limits) => post(`/limits/${named(subject)}`, limits),
    listOrganisations: () => get('/organisations'),
    suspend: (thing, subject) => post(`/${thing}s/${named(subject)}/suspend`),
    resume: (thing, subject) => post(`/${thing}s/${named(subject)}/resume`),
    showUsage: (question) => get(`/usage?${new URLSearchParams(question)}`),
    verifyUsage: () => get('/usage/verification'),
    listNodes: () => get('/nodes'),
    listUpstreams: () => get('/upstreams'),
    addUpstream: (wanted) => post('/upstreams', wanted),
    editUpstream: (name, changes) => post(`/upstreams/${named(name)}/edit`, changes),
    testUpstream: (name) => post(`/upstreams/${named(name)}/test`),
    drainUpstream: (name) => post(`/upstreams/${named(name)}/drain`),
    resumeUpstream: (name) => post(`/upstreams/${named(name)}/resume`),
    removeUpstream: (name) => post(`/upstreams/${named(name)}/remove`),
  }
}

/** Calls the running server. Trusts the response shape: only the data directory's owner can listen on its socket. */
export const call = async <Answer>(
  endpoint: Endpoint,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Answer> => {
  const { status, answer } = await exchange(endpoint, { method, path, body }).catch((error) => {
    throw new OperatorError(`The server closed the connection (${error.message}); run the command again`)
  })
  if (status >= 400) throw new OperatorError(errorMessage(answer))
  return answer
}

const exchange = async (endpoint: Endpoint, request: ClientRequest) => {
  const response = await send(endpoint, request)
  return { status: response.statusCode ?? 500, answer: JSON.parse(await readText(response)) }
}

export const errorMessage = (answer: unknown): string => {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : null
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : null
  return typeof message === 'string' ? message : 'The server returned an unrecognised error.'
}

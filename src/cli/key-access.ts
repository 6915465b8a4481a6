import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Config } from '../config/settings.ts'
import { controlSocketPath } from '../http/control-socket.ts'
import { createKeyRegistry, type KeyRegistry } from '../keys/key-registry.ts'
import { type KeyJson, keyJson } from '../platform/keys/key-json.ts'
import type { RevokeOutcome } from '../store/contract.ts'
import { lockDataDirectory } from '../store/data-directory.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { type ClientRequest, type Endpoint, NoAnswer, readText, send } from './http-client.ts'

/** The keys of one data directory, whoever holds it: through the running server, or by opening the database. */
export interface KeyAccess {
  create(name: string, expiresAtMs: number | null): Promise<KeyJson & { key: string }>
  list(): Promise<KeyJson[]>
  revoke(id: string): Promise<RevokeOutcome>
}

/** A server that starts at this moment, or another command, holds the directory for longer than it needs. */
export const lockWaitMs = 3000
/** A healthy server answers at once. */
const answerWaitMs = 3000

export const withKeyAccess = async <Result>(
  config: Config,
  work: (access: KeyAccess) => Promise<Result>,
): Promise<Result> => {
  const endpoint = await findServer(config)
  if (endpoint !== null) return work(throughServer(endpoint))
  const directory = await lockDataDirectory(config.dataDir, { clock: systemClock, waitMs: lockWaitMs })
  try {
    const store = await openSqliteStore({ directory, clock: systemClock })
    try {
      return await work(throughStore(createKeyRegistry({ store, clock: systemClock })))
    } finally {
      await store.close()
    }
  } finally {
    directory.release()
  }
}

/** Null where no server runs on this data directory. */
export const findServer = async (config: Config): Promise<Endpoint | null> => {
  const endpoint = { socketPath: controlSocketPath(config.dataDir) }
  try {
    const response = await send(endpoint, { method: 'GET', path: '/healthz', timeoutMs: answerWaitMs })
    await readText(response)
    return endpoint
  } catch (error) {
    if (error instanceof NoAnswer)
      throw new OperatorError(`The server of ${config.dataDir} is running but does not answer; look at its log`)
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ECONNREFUSED') return null
    if (code === 'EACCES')
      throw new OperatorError(`The server of ${config.dataDir} belongs to another user; run the command as that user`)
    throw error
  }
}

const throughStore = (registry: KeyRegistry): KeyAccess => ({
  async create(name, expiresAt) {
    const created = await registry.create({ name, expiresAt })
    if (created.outcome === 'refused')
      throw new OperatorError(`Invalid value for '${created.field}': ${created.reason}.`)
    return { ...keyJson(created.record), key: created.key }
  },
  list: async () => (await registry.list('all')).map(keyJson),
  revoke: async (id) => (await registry.revoke('all', id)).outcome,
})

const throughServer = (endpoint: Endpoint): KeyAccess => ({
  create: (name, expiresAtMs) =>
    call<KeyJson & { key: string }>(endpoint, 'POST', '/control/keys', { name, expires_at_ms: expiresAtMs }),
  list: async () => (await call<{ data: KeyJson[] }>(endpoint, 'GET', '/control/keys')).data,
  async revoke(id) {
    const path = `/control/keys/${encodeURIComponent(id)}/revoke`
    return (await call<{ outcome: RevokeOutcome }>(endpoint, 'POST', path)).outcome
  },
})

/** Asks the running server. Believes the shape of what comes back: only the owner of the data directory can stand behind its socket. */
export const call = async <Answer>(
  endpoint: Endpoint,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Answer> => {
  const { status, answer } = await exchange(endpoint, { method, path, body }).catch((error) => {
    throw new OperatorError(`The server broke the connection off (${error.message}); run the command again`)
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
  return typeof message === 'string' ? message : 'the server answered with something that is not an error of ours'
}

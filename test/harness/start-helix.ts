import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { SettingOrigins } from '../../src/config/setting-origin.ts'
import type { Config } from '../../src/config/settings.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { openScriptedEngine, type Script, type ScriptedEngineOptions } from '../../src/engine/scripted.ts'
import { controlSocketPath } from '../../src/http/control-socket.ts'
import type { Models } from '../../src/models/contract.ts'
import { singleModel } from '../../src/models/single-model.ts'
import type { LeaseTimes } from '../../src/nodes/open-node-lease.ts'
import { serve } from '../../src/serve.ts'
import { noSite, type Site } from '../../src/site-server/open-site.ts'
import { createUpstreamSet, type UpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { createLogCatcher } from './log-catcher.ts'
import { keepOneClock } from './one-clock.ts'
import { projectDatabases } from './project-databases.ts'
import { projectWorkers } from './project-workers.ts'
import { placeDatabase } from './sqlite/place-database.ts'
import { countStart } from './starts.ts'

export const modelName = 'helix-v1'

export type HelixOptions = {
  /** The engine's output; by default "Hello, world!" in four tokens. */
  answer?: Script
  engine?: Omit<ScriptedEngineOptions, 'answer'>
  /** Replaces the scripted engine. */
  startEngine?: () => Engine
  /** Replaces the single model. */
  openModels?: (config: Config) => Models
  /** Those that `openModels` includes; by default a set of its own. */
  upstreams?: UpstreamSet
  config?: Partial<Config>
  /** The pages; none by default. */
  openSite?: () => Site
  clock?: Clock
  /** By default, no setting is fixed. */
  origins?: SettingOrigins
  hasConfigChanged?: () => Promise<boolean>
  /** How many workers there are unless the settings say it; by default one. */
  defaultWorkers?: (hasUpstreams: boolean) => number
  logFormat?: 'json' | 'text'
  /** Of a node, see `startCluster`. */
  leaseTimes?: LeaseTimes
}

/** The limits of a new organisation would be too low for many tests. */
const unlimited = {
  organisationRequestsPerMinute: 0,
  organisationTokensPerMinute: 0,
  organisationRequestsInFlight: 0,
}

/** Most tests sign somebody in; the recommended cost is tested with the hasher. */
const passwordCost = { memory: 64, passes: 1, parallelism: 1 }

export type Helix = Awaited<ReturnType<typeof openHelix>>

/** The real server for one test. */
export const startHelix = async (options: HelixOptions = {}): Promise<Helix> => {
  const helix = await openHelix(options)
  onTestFinished(helix.close)
  return helix
}

/**
 * The real server on a free port, with a real store, in front of an engine that the test scripts. Several tests may
 * share one: `beforeAll(async () => { helix = await openHelix(); return helix.close })`.
 */
export const openHelix = async (options: HelixOptions = {}) => {
  countStart('servers')
  const { answer = () => ['Hello', ', ', 'world', '!'], clock = systemClock } = options
  const dataDir = options.config?.dataDir ?? (await mkdtemp(join(tmpdir(), 'helix-test-')))
  keepOneClock(dataDir, clock)
  const removeOwnDir = async () => {
    if (options.config?.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  const defaults = loadConfig({ flags: {}, environment: {}, configFile: null })
  const databases = await projectDatabases(dataDir, clock)
  const config: Config = {
    ...defaults,
    ...unlimited,
    port: 0,
    shutdownDelayMs: 0,
    ...databases.config,
    ...projectWorkers(),
    ...options.config,
    dataDir,
  }
  if (options.config?.dataDir === undefined && config.store === null) placeDatabase(dataDir)
  const engine = openScriptedEngine({
    ...options.engine,
    model: { id: modelName, ...options.engine?.model },
    answer,
  })
  const catcher = createLogCatcher({ clock, format: options.logFormat ?? 'json' })
  const startEngine = options.startEngine ?? (() => engine)
  const openModels = () => options.openModels?.(config) ?? singleModel(startEngine(), config, clock)
  const openSite = options.openSite ?? (() => noSite)
  const upstreams = options.upstreams ?? createUpstreamSet({ clock, log: catcher.log })
  const hasConfigChanged = options.hasConfigChanged ?? (async () => false)
  const opened = { config, clock, log: catcher.log, openModels, upstreams, openSite, passwordCost, hasConfigChanged }
  const { recentProblems } = catcher.log
  const { leaseTimes = databases.leaseTimes, defaultWorkers } = options
  const server = await serve({
    ...opened,
    recentProblems,
    ...(options.origins === undefined ? {} : { origins: options.origins }),
    ...(leaseTimes === undefined ? {} : { leaseTimes }),
    ...(defaultWorkers === undefined ? {} : { defaultWorkers }),
    limitsTimeSource: clock === systemClock ? 'redis' : 'clock',
  }).catch(async (error) => {
    await removeOwnDir()
    throw error
  })
  const control = (method: string, path: string, body?: unknown) => callSocket(dataDir, method, path, body)
  const { key } = (await control('POST', '/control/keys', { name: 'test' })) as { key: string }
  const authorized = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    server,
    engine,
    url: server.url,
    baseUrl: `${server.url}/v1`,
    dataDir,
    /** Null: the database is in the data directory. */
    storeUrl: config.store,
    key,
    authorized,
    logLines: catcher.lines,
    logged: catcher.logged,
    control,
    get: (path: string) => fetch(server.url + path, { headers: authorized }),
    /** POST /v1/chat/completions, with the model filled in. */
    chat: (body: Record<string, unknown>, init: RequestInit = {}) =>
      fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: authorized,
        body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], ...body }),
        ...init,
      }),
    /** Sends the body unchanged, including one that is not JSON. */
    post: (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers: { ...authorized, ...headers }, body }),
    async close() {
      await server.close()
      await removeOwnDir()
    },
  }
}

const callSocket = (dataDir: string, method: string, path: string, body?: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: controlSocketPath(dataDir), method, path })
    outgoing.on('response', (response) => resolve(json(response)))
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })

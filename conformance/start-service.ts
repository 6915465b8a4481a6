import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeTinyModel } from '../scripts/tiny-models/tiny-models.ts'
import { systemClock } from '../src/base/clock.ts'
import { createLog, type Log } from '../src/base/log.ts'
import { readText, send } from '../src/cli/http-client.ts'
import { loadConfig } from '../src/config/load-config.ts'
import type { Config } from '../src/config/settings.ts'
import type { UpstreamKind } from '../src/config/upstream-names.ts'
import { openEmbeddedEngine } from '../src/engine/embedded/embedded-engine.ts'
import { readModel } from '../src/engine/model-folder.ts'
import { openScriptedEngine } from '../src/engine/scripted.ts'
import { controlSocketPath } from '../src/http/control-socket.ts'
import { hideKeys } from '../src/keys/hide-keys.ts'
import { chooseModels } from '../src/models/choose-models.ts'
import type { Models } from '../src/models/contract.ts'
import { singleModel } from '../src/models/single-model.ts'
import { serve } from '../src/serve.ts'
import { noSite } from '../src/site-server/open-site.ts'
import type { AccessScope } from '../src/store/contract.ts'
import { createConformanceScript } from './scripted-model.ts'

/** A client that hangs fails within a minute, not within the ten that real answers may take. */
const answerTimeMs = 60_000

/**
 * The real server with its own store and key, in front of the scripted model. It has one slot: an aborted answer that
 * still runs would block every later scenario.
 */
export const startService = (settings: Partial<Config> = {}): Promise<Service> =>
  openService(settings, (config) => {
    const engine = openScriptedEngine({
      model: { id: 'helix-v1', contextTokens: 8192 },
      slots: 1,
      answer: createConformanceScript(),
    })
    return singleModel(engine, config, systemClock)
  })

/** The same with the model that comes with Helix, for clients that need its real tokens, or with a reranker. */
export const startModelService = async (name: 'helix-v1' | 'tiny-reranker'): Promise<Service> => {
  const folder = await mkdtemp(join(tmpdir(), 'helix-model-'))
  const included = fileURLToPath(new URL('../models/helix-v1', import.meta.url))
  const modelFiles = await readModel(name === 'helix-v1' ? included : writeTinyModel(folder, name))
  const service = await openService({}, async (config, log) => {
    const engine = openEmbeddedEngine({
      ...{ modelFiles, slots: 2, threads: 1, clock: systemClock, log },
      workerPath: fileURLToPath(new URL('../src/engine-process.ts', import.meta.url)),
    })
    const { outcome } = await engine.firstLoad
    if (outcome !== 'ready') throw new Error(`${name} could not be loaded`)
    return singleModel(engine, config, systemClock)
  })
  return {
    ...service,
    async close() {
      await service.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The models that the samples of the documentation name: helix-v1, and tiny ones in place of the others. */
export const startSampleService = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'helix-model-'))
  const tiny = [
    { name: 'nomic-embed-text-v1.5', path: writeTinyModel(folder, 'tiny-embedding') },
    { name: 'bge-reranker-v2-m3', path: writeTinyModel(folder, 'tiny-reranker') },
  ]
  const included = fileURLToPath(new URL('../models/helix-v1', import.meta.url))
  const models = [{ name: 'helix-v1', path: included, default: true }, ...tiny]
  const { models: listed } = loadConfig({
    flags: {},
    environment: { HELIX_MODELS: JSON.stringify(models) },
    configFile: null,
  })
  const service = await openService({ models: listed }, async (config, log) => {
    const workerPath = fileURLToPath(new URL('../src/engine-process.ts', import.meta.url))
    const { open } = await chooseModels({ config, clock: systemClock, log, workerPath })
    return open()
  })
  return {
    ...{ key: service.key, createKey: service.createKey, origin: service.baseUrl.replace(/\/v1$/, '') },
    async close() {
      await service.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The same service as the upstream of another server, which the clients call. */
export const startServiceWithUpstream = async (settings: Partial<Config> = {}): Promise<Service> => {
  const upstream = await startService(settings)
  try {
    // Another Helix accepts what vLLM does.
    const asked = { ...upstream, upstreamModel: 'helix-v1', kind: 'vllm', name: 'helix-v1' } as const
    const front = await startServiceBefore(asked, settings)
    return {
      ...front,
      async close() {
        await front.close()
        await upstream.close()
      },
    }
  } catch (error) {
    await upstream.close()
    throw error
  }
}

type UpstreamSettings = {
  baseUrl: string
  key?: string
  upstreamModel: string
  kind: UpstreamKind
  /** The model's name for callers. */
  name: string
}

/** The real server in front of an engine that is already running. */
export const startServiceBefore = (
  { baseUrl, key, upstreamModel, kind, name }: UpstreamSettings,
  settings: Partial<Config> = {},
): Promise<Service> =>
  openService(
    {
      ...settings,
      upstreamUrl: baseUrl,
      upstreamModel,
      upstreamKey: key ?? null,
      upstreamKind: kind,
      modelName: name,
    },
    async (config, log) => {
      const { open } = await chooseModels({ config, clock: systemClock, log, workerPath: '' })
      return open()
    },
  )

type Service = {
  baseUrl: string
  key: string
  /** Another one, which may do only this. */
  createKey(scope: AccessScope): Promise<string>
  logLines: readonly string[]
  close(): Promise<void>
}

const openService = async (
  settings: Partial<Config>,
  chooseFrom: (config: Config, log: Log) => Models | Promise<Models>,
): Promise<Service> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'helix-'))
  const removeDataDir = () => rm(dataDir, { recursive: true, force: true })
  const logLines: string[] = []
  const log = createLog({
    clock: systemClock,
    format: 'text',
    write: (line) => logLines.push(line),
    hideSecrets: hideKeys,
  })
  const defaults = loadConfig({ flags: {}, environment: {}, configFile: null })
  const times = { generationTimeoutMs: answerTimeMs, shutdownGraceMs: 0 }
  // Clients in many languages send more requests a minute than a new organisation may.
  const unlimited = {
    organisationRequestsPerMinute: 0,
    organisationTokensPerMinute: 0,
    organisationRequestsInFlight: 0,
  }
  const config = { ...defaults, ...times, ...unlimited, ...settings, port: 0, dataDir }
  const models = await chooseFrom(config, log)
  const openModels = () => models
  const server = await serve({ config, clock: systemClock, log, openModels, openSite: () => noSite }).catch(
    async (error) => {
      await removeDataDir()
      throw error
    },
  )
  const close = async (): Promise<void> => {
    await server.close()
    await removeDataDir()
  }
  try {
    const createKey = (scope: AccessScope): Promise<string> => newKey(dataDir, [scope])
    return { baseUrl: `${server.url}/v1`, key: await newKey(dataDir), createKey, logLines, close }
  } catch (error) {
    await close()
    throw error
  }
}

const newKey = async (dataDir: string, scopes?: readonly AccessScope[]): Promise<string> => {
  const endpoint = { socketPath: controlSocketPath(dataDir) }
  const asked = { method: 'POST', path: '/control/keys', body: { name: 'conformance', scopes } } as const
  const { key } = JSON.parse(await readText(await send(endpoint, asked)))
  return String(key)
}

import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { errorMessage } from '../base/caught-error.ts'
import { systemClock } from '../base/clock.ts'
import { servesTls } from '../config/check-config.ts'
import type { Config } from '../config/settings.ts'
import { upstreamDefaultModel } from '../config/upstream-default-model.ts'
import { enginePackages } from '../engine/embedded/engine-packages.ts'
import { verifyWeights } from '../engine/verify-weights.ts'
import { checkBackup } from '../health/check-backup.ts'
import { judgeClock } from '../health/check-clock.ts'
import { checkDisk } from '../health/check-disk.ts'
import { checkPublicUrl } from '../health/check-listener.ts'
import type { Finding } from '../health/self-checks.ts'
import { describeModels } from '../models/describe-models.ts'
import { modelEntries } from '../models/model-entries.ts'
import { readModelList } from '../models/model-list-file.ts'
import type { CheckState } from '../nodes/node-check.ts'
import { lockDataDirectory } from '../store/data-directory.ts'
import { configuredUpstreams, requireTokenizers } from '../upstreams/configured-upstreams.ts'
import { checkMemory } from './check-memory.ts'
import { findServer } from './control-access.ts'

/** What a command can find out about its own machine and settings. `state` is never `warning` for what throws. */
export type LocalCheck = { check: string; state: CheckState; detail: string }

/** Without a server: what it would find with these settings. */
export const examineLocally = async (config: Config): Promise<LocalCheck[]> => {
  const checks: Record<string, () => Promise<string | Finding>> = {
    runtime: checkRuntime,
    'data directory': () => checkDataDirectory(config),
    database: () => checkDatabase(config),
    redis: () => checkRedis(config),
    port: () => checkPort(config),
    model: () => checkModel(config),
    tokenizers: () => checkTokenizers(config),
    threads: () => checkThreads(config),
    gpu: () => checkGpu(config),
    memory: () => checkMemory(config),
    tls: () => checkTls(config),
    'public address': async () => checkPublicUrl(config),
    clock: () => checkOwnClock(config),
    disk: () => checkDataDisk(config),
    backup: () => checkBackup(config, resolve(config.dataDir), systemClock.now()),
  }
  const findings: LocalCheck[] = []
  for (const [check, find] of Object.entries(checks)) {
    const finding = await find().then(
      (found): Finding => (typeof found === 'string' ? { state: 'ok', detail: found } : found),
      (error): Finding => ({ state: 'failed', detail: errorMessage(error) }),
    )
    findings.push({ check, ...finding })
  }
  return findings
}

/** Needs no version check: `launch.mjs` rejects older versions of Node. */
const checkRuntime = async (): Promise<string> => `Node ${process.versions.node} on ${process.platform} ${process.arch}`

const checkDataDirectory = async (config: Config): Promise<string> => {
  if ((await findServer(config)) !== null) return `${config.dataDir}, in use by the running server`
  const directory = await lockDataDirectory(config.dataDir, { clock: systemClock, waitMs: 0 })
  directory.release()
  return `${directory.path} is writable`
}

/** Of the data directory the database is opened only by a server: it would be migrated. */
const checkDatabase = async ({ store }: Config): Promise<string> => {
  if (store === null) return 'SQLite in the data directory'
  const { examinePostgres } = await import('../store/postgres/examine-postgres.ts')
  return examinePostgres(store)
}

const checkRedis = async ({ redis, redisTimeoutMs }: Config): Promise<string> => {
  if (redis === null) return 'not used'
  const { examineRedis } = await import('../redis/examine-redis.ts')
  return examineRedis(redis.split(','), redisTimeoutMs)
}

const checkPort = async (config: Config): Promise<string> => {
  const place = `${config.host}:${config.port}`
  const server = createServer()
  const failure = await new Promise<(Error & { code?: string }) | null>((resolve) => {
    server.once('error', resolve)
    server.listen(config.port, config.host, () => server.close(() => resolve(null)))
  })
  if (failure === null) return `${place} is available`
  if (failure.code === 'EADDRINUSE' && (await findServer(config)) !== null)
    return `${place}, in use by the running server`
  if (failure.code === 'EADDRINUSE')
    throw new Error(`${place} is in use by another program; choose another port with HELIX_PORT`)
  throw new Error(`${place} cannot be used: ${failure.message}; check HELIX_HOST and HELIX_PORT`)
}

const checkModel = async (config: Config): Promise<string> => {
  const described = await describeModels(modelEntries(config, await readModelList(config.dataDir)), silent)
  const found = configuredUpstreams(config).map(({ name, url, models }) => {
    const served = models?.map((model) => model.upstreamName ?? model.name).join(', ') ?? name
    return `${served} at ${url} (not contacted)`
  })
  for (const { id, files, failure } of described) {
    if (files === null) throw new Error(failure)
    await verifyWeights(files.files)
    const checked = files.files.every(({ sha256 }) => sha256 !== null) ? 'checksums match' : 'no checksums available'
    found.push(`${id}, ${files.files.length} weight file(s), ${checked}`)
  }
  return found.join('; ')
}

const checkTokenizers = async (config: Config): Promise<string> => {
  const configured = configuredUpstreams(config)
  const paths = new Set(configured.flatMap(({ models }) => models?.flatMap(({ tokenizer }) => tokenizer ?? []) ?? []))
  if (paths.size === 0) return 'none'
  const { createUpstreamSet } = await import('../upstreams/upstream-set.ts')
  const set = createUpstreamSet({ clock: systemClock, log: silent })
  try {
    await requireTokenizers(configured, set)
  } finally {
    await set.close()
  }
  return [...paths].join(', ')
}

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** Counts the cores available to this process, which may be fewer than the machine has in a container. */
const checkThreads = async (config: Config): Promise<string> => {
  const { engineThreads } = config
  if (upstreamDefaultModel(config) !== null) return 'none: an upstream generates the answers'
  const cores = availableParallelism()
  if (engineThreads > cores)
    throw new Error(`${engineThreads} threads on ${cores} core(s) are much slower; lower HELIX_ENGINE_THREADS`)
  return `up to ${engineThreads} on ${cores} core(s), fewer while other programs use them`
}

const checkGpu = async ({ engineGpu: gpu, engineLibraries: ownBuild, dataDir }: Config): Promise<string> => {
  const { examineGpu } = await import('../engine/embedded/llama/examine-gpu.ts')
  return examineGpu({ gpu, ownBuild, packages: enginePackages(dataDir).modules })
}

const checkTls = async (config: Config): Promise<string> => {
  if (!servesTls(config)) return 'off (plain HTTP)'
  if (config.tlsCert === null || config.tlsKey === null) return 'self-signed, for testing on this machine'
  const { tlsCert: certPath, tlsKey: keyPath } = config
  const { loadCertificate } = await import('../http/tls/certificate.ts')
  const pair = await loadCertificate({ certPath, keyPath, now: systemClock.now() })
  return [`${pair.subject}, valid until ${pair.notAfter.toISOString().slice(0, 10)}`, ...pair.warnings].join('; ')
}

const checkOwnClock = async ({ store }: Config): Promise<string | Finding> => {
  if (store === null) return 'the database has the clock of this machine'
  const { readPostgresTime } = await import('../store/postgres/examine-postgres.ts')
  const sentAt = systemClock.now()
  return judgeClock(await readPostgresTime(store), sentAt, systemClock.now())
}

/** Of the nearest folder that exists: the first start creates the data directory. */
const checkDataDisk = async ({ dataDir }: Config): Promise<Finding> => {
  let directory = resolve(dataDir)
  while (!existsSync(directory) && dirname(directory) !== directory) directory = dirname(directory)
  return checkDisk(directory)
}

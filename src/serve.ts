import { type Accounts, createAccounts } from './accounts/accounts.ts'
import { startAuditRetention } from './accounts/audit-retention.ts'
import type { Removed } from './accounts/removed.ts'
import type { Suspended } from './accounts/suspensions.ts'
import { createGrammarCompiler } from './api/chat-completions/compile/grammar-compiler.ts'
import { createExecuteRequest } from './api/chat-completions/execute-request.ts'
import { createChatCompletions } from './api/chat-completions/handler.ts'
import { createRecordRefusal } from './api/chat-completions/record-refusal.ts'
import { createRequestReader } from './api/chat-completions/request/request-reader.ts'
import { ApiError } from './base/api-error.ts'
import type { Clock } from './base/clock.ts'
import type { Log } from './base/log.ts'
import type { Config } from './config/settings.ts'
import type { Engine } from './engine/contract.ts'
import { createBodyBudget } from './http/body-budget.ts'
import { controlSocketPath, removeStaleSocket } from './http/control-socket.ts'
import { createCors } from './http/cors.ts'
import { createDispatch, type Dispatch } from './http/dispatch.ts'
import { ClientGone } from './http/exchange.ts'
import { createForwarded } from './http/forwarded.ts'
import { type Listener, listen } from './http/listen.ts'
import { loopbackName } from './http/loopback-name.ts'
import { openTls } from './http/tls/open-tls.ts'
import { createKeyGuard } from './keys/key-guard.ts'
import { createKeyRegistry } from './keys/key-registry.ts'
import { createLastUsed } from './keys/last-used.ts'
import { createKeyVerifier } from './keys/verify-key.ts'
import { createLimiter } from './limits/create-limiter.ts'
import { createByteBudget } from './replay/byte-budget.ts'
import { openReplays, type Replays } from './replay/replays.ts'
import { createRoutes } from './routes.ts'
import { createRequestQueue } from './schedule/request-queue.ts'
import { createStopAnswers, type StopAnswers } from './serve/stop-answers.ts'
import { createGuard } from './session/session-guard.ts'
import type { Site } from './site-server/open-site.ts'
import { showUnknown } from './site-server/show-unknown.ts'
import { lockDataDirectory } from './store/data-directory.ts'
import { loadSecretKey } from './store/secret-key.ts'
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
import { openBodyWriter } from './usage/body-writer.ts'
import { createLedgerNotifier, type LedgerNotifier } from './usage/ledger-notifier.ts'
import { openLedger } from './usage/open-ledger.ts'
import { pruneHourly } from './usage/prune-hourly.ts'
import { openRefusals } from './usage/refusals.ts'

/**
 * Composition root of the API role: builds the rooms, hands each what it needs, listens, and closes in reverse order.
 */
export type ServeOptions = {
  config: Config
  clock: Clock
  log: Log
  startEngine(): Engine
  openSite(): Site
}

export interface RunningServer {
  /** Where it listens: `https://127.0.0.1:8080`, without a path. */
  readonly url: string
  /** What people open: the public address, or the one where it listens by a name that browsers make passkeys for. */
  readonly siteUrl: string
  readonly engine: Engine
  /** Where the first person becomes the owner; null once there is one. */
  readonly claimUrl: string | null
  /** Resolves with the reason when the service cannot go on. */
  readonly failed: Promise<Error>
  /** No new requests; running ones end by themselves within the grace time, or with an error after it. */
  close(): Promise<void>
}

export const serve = async (options: ServeOptions): Promise<RunningServer> => {
  const { config, clock, log } = options
  const closers: Closer[] = []
  const socketPath = controlSocketPath(config.dataDir)
  try {
    const directory = await lockDataDirectory(config.dataDir, { clock, waitMs: lockWaitMs })
    closers.push(async () => directory.release())
    // The engine takes longest to be ready, so it starts first.
    const engine = options.startEngine()
    closers.push(() => engine.close())
    const store = await openSqliteStore({ directory, clock })
    closers.push(() => store.close())

    const site = options.openSite()
    closers.push(() => site.close())

    const verifier = createKeyVerifier({ records: store.keys, clock })
    const lastUsed = createLastUsed({ records: store.keys, clock, log })
    closers.push(() => lastUsed.close())
    // Nothing runs before there is something to answer with.
    let stopAnswers: StopAnswers | null = null
    const onEnded: StopAnswers['ofKey'] = (keyId, end) => stopAnswers?.ofKey(keyId, end)
    const onChanged = verifier.forget
    const keys = createKeyRegistry({ store, clock, onChanged, onEnded, unwrittenUse: lastUsed.unwritten })
    let localUrl = ''
    const siteUrl = (): string => config.publicUrl ?? localUrl
    const onResumed = (keyIds: readonly string[]): void => keyIds.forEach(verifier.forget)
    const onRemoved = (removed: Removed): void => {
      removed.keyIds.forEach(verifier.forget)
      stopAnswers?.ofRemoved(removed)
    }
    const onSuspended = (suspended: Suspended): void => {
      suspended.keyIds.forEach(verifier.forget)
      stopAnswers?.ofSuspended(suspended)
    }
    const secretKey = loadSecretKey(directory)
    const onAccess = { onRemoved, onSuspended, onResumed }
    const accounts = createAccounts({ store, clock, log, settings: config, secretKey, siteUrl, ...onAccess })
    closers.push(() => accounts.mail.settled())
    const retention = startAuditRetention({ ...config, records: store.audit, clock, log })
    closers.push(() => retention.close())
    const notifier = createLedgerNotifier()
    // Before the ledger, so that they close behind it: the last requests end with it.
    const refusals = openRefusals({ records: store.requestLog, clock, log, onWritten: notifier.notify })
    closers.push(() => refusals.close())
    const bodies = await openBodyWriter({ records: store.bodies, clock, log })
    closers.push(() => bodies.close())
    const ledger = await openLedger({ ...config, records: store.ledger, clock, log, onWritten: notifier.notify })
    closers.push(() => ledger.close())
    const { requestLog } = store
    const pruning = pruneHourly({ ...config, records: store.ledger, requestLog, bodies: store.bodies, clock, log })
    closers.push(() => pruning.close())
    // Behind the recovery: what is open in the ledger would count as running.
    const limiter = await createLimiter({ store, clock, settings: config })
    const abandoned = (): ClientGone => new ClientGone()
    const replays = await openReplays({ ...config, records: store.replays, clock, log, abandoned })
    closers.push(() => replays.close())
    const requestReader = createRequestReader({ ...config, clock })
    closers.push(() => requestReader.close())
    const compiler = createGrammarCompiler({ clock })
    closers.push(() => compiler.close())
    const requestQueue = createRequestQueue({ ...config, slots: engine.slots, clock })
    const handle = createChatCompletions({
      engine,
      limiter,
      requestReader,
      bodies,
      replays,
      execute: createExecuteRequest({
        engine,
        compiler,
        ledger,
        requestQueue,
        bodies,
        completions: store.completions,
        clock,
        answerBuffer: createByteBudget(config.answerBufferLimitBytes),
        answerLimitBytes: config.answerLimitBytes,
        answerReservationTokens: config.answerReservationTokens,
      }),
      clock,
      bodyLimitBytes: config.bodyLimitBytes,
      generationTimeoutMs: config.generationTimeoutMs,
      heartbeatMs: config.heartbeatMs,
      stallTimeoutMs: config.stallTimeoutMs,
    })
    const chatCompletions = { handle, onError: createRecordRefusal({ refusals, clock }) }
    const dispatch = createDispatch({
      routes: createRoutes({
        config,
        clock,
        store,
        engine,
        requestQueue,
        limiter,
        keys,
        accounts,
        bodies,
        notifier,
        chatCompletions,
        site,
        siteUrl,
      }),
      keys: createKeyGuard({ verifier, lastUsed }),
      guard: createGuard(accounts.sessions),
      locate: createForwarded({ trustedProxies: config.trustedProxies, publicUrl: config.publicUrl ?? undefined }),
      cors: createCors(config.corsOrigins),
      bodies: createBodyBudget(config),
      showUnknown: (exchange, path) => showUnknown(site, exchange, path),
      clock,
      log,
    })
    stopAnswers = createStopAnswers({ dispatch, replays })

    const tls = await openTls({ config, directory: directory.path, clock, log })
    closers.push(async () => tls?.close())
    const listeners: Listener[] = []
    closers.push(() => drain(listeners, dispatch, replays, notifier, options))
    const network = await listen({ host: config.host, port: config.port, tls: tls?.pair ?? null }, config, dispatch)
    listeners.push(network)
    tls?.onChange(network.setCertificate)
    removeStaleSocket(socketPath)
    listeners.push(await listen({ socketPath }, config, dispatch))

    const scheme = tls === null ? 'http' : 'https'
    const port = network.address?.port ?? config.port
    const url = `${scheme}://${authority(config.host, port)}`
    localUrl = `${scheme}://${authority(await loopbackName(config.host, port), port)}`
    log.info('listening', { url, dataDir: directory.path, model: engine.model.id })
    const claimUrl = await makeClaimUrl(accounts, siteUrl())
    return { url, siteUrl: siteUrl(), engine, claimUrl, failed: store.failed, close: () => closeAll(closers) }
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

/** A new one at each start, until somebody used it. */
const makeClaimUrl = async (accounts: Accounts, siteUrl: string): Promise<string | null> => {
  const link = await accounts.links.createSetup()
  return link === null ? null : siteUrl + link.path
}

type Closer = () => Promise<void>

/** A command may hold the directory for a moment. */
const lockWaitMs = 2000

const closeAll = async (closers: Closer[]): Promise<void> => {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
}

/** How long connections may take to close once every running request was told to end. */
const lastWordsMs = 2000

const drain = async (
  listeners: Listener[],
  dispatch: Dispatch,
  replays: Replays,
  notifier: LedgerNotifier,
  options: ServeOptions,
) => {
  const { clock, config, log } = options
  dispatch.refuseNew()
  // Pages that follow the requests would stay for ever: they come back by themselves.
  notifier.close()
  const closed = Promise.all(listeners.map((listener) => listener.close()))
  const cancelGrace = clock.after(config.shutdownGraceMs, () => {
    log.warn('grace_time_over', { graceMs: config.shutdownGraceMs })
    const stopping = ApiError.of('shutting_down', {}, { retryAfterMs: 1000 })
    dispatch.abortAll(stopping)
    replays.abortAll(stopping)
  })
  const hangUp = (): void => {
    for (const listener of listeners) listener.closeAllConnections()
  }
  const cancelForce = clock.after(config.shutdownGraceMs + lastWordsMs, hangUp)
  // Kept connections, and those that never asked for anything, have nothing to wait for.
  void dispatch.idle().then(hangUp)
  await closed
  // Those that go on without a connection have as long as the others.
  await replays.idle()
  cancelGrace()
  cancelForce()
}

const authority = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

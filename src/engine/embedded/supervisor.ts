/**
 * Keeps one engine process running: starts it, forwards its messages, restarts it when it dies or hangs, and stops it.
 * It knows nothing about requests; callers with requests in flight are notified when the process exits.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { EngineState } from '../contract.ts'
import type { LoadSettings } from './load-settings.ts'
import type { FromWorker, OpenedModel, RequestMessage, ToWorker } from './protocol.ts'
import { restartDelayMs } from './restart-delay.ts'
import { createResultsReader, resultsDescriptor } from './results-pipe.ts'
import { createWatchdog, type Hang, type Watchdog } from './watchdog.ts'
import { workerEnvironment } from './worker-environment.ts'

/** Result of the first load. Only a failed first load stops the service; later loads are retried. */
export type FirstLoad = { outcome: 'ready' } | { outcome: 'refused'; reason: string } | { outcome: 'closed' }

type SupervisorOptions = {
  workerPath: string
  settings: LoadSettings
  /** Maximum time the process may leave a liveness check unanswered. */
  silenceLimitMs: number
  clock: Clock
  log: Log
  onReady: (ready: OpenedModel & { pid: number; loadMs: number }) => void
  onMessage: (message: RequestMessage) => void
  /** The process has exited or was abandoned; all its pending requests are lost. */
  onGone: () => void
}

/** A process that ran this long was not in a crash loop. */
const steadyMs = 60_000
const endGraceMs = 2000
/** A file that llama.cpp crashes on would otherwise be loaded again and again. */
const firstLoadAttempts = 3
/** Initial estimate; later the duration of the last load is used. */
const guessedLoadMs = 2000

export class Supervisor {
  readonly firstLoad: Promise<FirstLoad>
  readonly #options: SupervisorOptions
  readonly #settleFirstLoad: (outcome: FirstLoad) => void
  readonly #watchdog: Watchdog
  #child: ChildProcess | undefined
  #gone: Promise<void> = Promise.resolve()
  #state: EngineState = 'loading'
  #loadedOnce = false
  #isHung = false
  #processBytes: number | null = null
  #cacheUse: number | null = null
  #failures = 0
  #startedAtMs = 0
  #readyAtMs = 0
  #lastLoadMs = guessedLoadMs
  #expectedReadyAtMs = 0
  #cancelRestart: () => void = () => {}

  constructor(options: SupervisorOptions) {
    const { promise, resolve } = Promise.withResolvers<FirstLoad>()
    this.firstLoad = promise
    this.#settleFirstLoad = resolve
    this.#options = options
    const { silenceLimitMs, clock } = options
    this.#watchdog = createWatchdog({
      silenceLimitMs,
      clock,
      ask: () => this.send({ type: 'ping' }),
      onHung: (hang) => this.#giveUp(hang),
    })
    this.#start()
  }

  state(): EngineState {
    return this.#isHung && this.#state === 'ready' ? 'loading' : this.#state
  }

  pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** Memory of the process, as of its last answer; null before the first one. */
  processBytes(): number | null {
    return this.#processBytes
  }

  /** The share of the KV cache that has tokens, as of its last answer; null before the first one, and without a cache. */
  cacheUse(): number | null {
    return this.#cacheUse
  }

  /** When a client should retry while the model loads. */
  retryAfterMs(): number {
    return Math.max(1000, Math.ceil(this.#expectedReadyAtMs - this.#options.clock.monotonicMs()))
  }

  /** A message to an exiting process is lost; `onGone` follows. */
  send(message: ToWorker): void {
    if (this.#child?.connected) this.#child.send(message, () => {})
  }

  async close(): Promise<void> {
    this.#state = 'stopped'
    this.#cancelRestart()
    this.#watchdog.stop()
    this.#settleFirstLoad({ outcome: 'closed' })
    const child = this.#child
    if (!child) return
    if (child.connected) child.disconnect()
    const cancelKill = this.#options.clock.after(endGraceMs, () => child.kill('SIGKILL'))
    await this.#gone
    cancelKill()
  }

  #start(): void {
    const { workerPath, settings, clock, log } = this.#options
    this.#startedAtMs = clock.monotonicMs()
    this.#expectedReadyAtMs = this.#startedAtMs + this.#lastLoadMs
    const child = fork(workerPath, [], {
      env: workerEnvironment(settings.kind),
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
    })
    this.#child = child
    this.#isHung = false
    this.#watchdog.start()
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (text) => log.warn('engine_output', { text }))
    child.on('message', (message: FromWorker) => this.#receive(message))
    const results = child.stdio[resultsDescriptor]
    results?.on(
      'data',
      createResultsReader((messages) => this.#receive({ type: 'requests', messages })),
    )
    results?.on('error', () => {})
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gone = promise
    const end = (code: number | null, signal: string | null, error?: Error): void => {
      // A process that fails to start emits an error but no exit.
      if (this.#child !== child || (error && child.pid !== undefined)) return
      this.#child = undefined
      this.#processBytes = null
      this.#cacheUse = null
      this.#afterExit(code, signal, error)
      resolve()
    }
    child.on('exit', (code, signal) => {
      // Messages sent before the exit may still be in the channels.
      const isRead = () => !child.connected && (results?.closed ?? true)
      const endOnceRead = (): void => {
        if (isRead()) end(code, signal)
      }
      child.once('disconnect', endOnceRead)
      results?.once('close', endOnceRead)
      endOnceRead()
    })
    child.on('error', (error) => end(null, null, error))
    this.send({ type: 'load', settings: { ...settings, resultsDescriptor } })
  }

  #receive(message: FromWorker): void {
    if ('processBytes' in message) this.#processBytes = message.processBytes
    if (message.type === 'pong') this.#cacheUse = message.progress?.cacheUse ?? null
    if (message.type === 'ready') this.#becomeReady(message.opened)
    else if (message.type === 'refused') this.#refuse(message.reason)
    else if (message.type === 'pong') this.#watchdog.answered(message.progress)
    else if (message.type === 'threads') this.#logThreads(message.threads)
    else if (message.type === 'log') this.#options.log[message.level]('engine_output', { text: message.text })
    else for (const one of message.messages) this.#options.onMessage(one)
  }

  #logThreads(threads: number): void {
    const { log, settings } = this.#options
    log.info('engine_threads', { threads, configured: settings.threads })
  }

  #becomeReady(opened: OpenedModel): void {
    if (this.#state === 'stopped' || this.#isHung) return
    this.#watchdog.loaded()
    this.#readyAtMs = this.#options.clock.monotonicMs()
    this.#lastLoadMs = this.#readyAtMs - this.#startedAtMs
    this.#state = 'ready'
    this.#loadedOnce = true
    this.#options.onReady({ ...opened, pid: this.pid() ?? 0, loadMs: Math.round(this.#lastLoadMs) })
    this.#settleFirstLoad({ outcome: 'ready' })
  }

  /** The process may take a while to exit, in an uninterruptible wait; nothing waits for it. */
  #giveUp(hang: Hang): void {
    const { log, onGone } = this.#options
    this.#isHung = true
    log.error('engine_hung', { pid: this.pid(), ...hang })
    this.#child?.kill('SIGKILL')
    onGone()
  }

  #refuse(reason: string): void {
    this.#options.log.error('engine_refused', { reason })
    this.#child?.disconnect()
    if (this.#loadedOnce) return
    this.#state = 'stopped'
    this.#settleFirstLoad({ outcome: 'refused', reason })
  }

  #afterExit(code: number | null, signal: string | null, error: Error | undefined): void {
    const { clock, log, onGone, settings } = this.#options
    this.#watchdog.stop()
    const nowMs = clock.monotonicMs()
    if (this.#state === 'stopped') {
      onGone()
      return
    }
    if (!this.#loadedOnce && this.#failures + 1 >= firstLoadAttempts) {
      const how = error?.message ?? signal ?? `exit code ${code}`
      log.error('engine_exited', { code, signal, restartMs: null, ...(error ? { error: error.message } : {}) })
      this.#refuse(
        `${settings.weightsPath} cannot be loaded: the engine process ended each time (${how}). Choose another model.`,
      )
      onGone()
      return
    }
    const wasSteady = this.#state === 'ready' && nowMs - this.#readyAtMs >= steadyMs
    this.#failures = wasSteady ? 1 : this.#failures + 1
    const restartMs = restartDelayMs(this.#failures)
    this.#state = 'loading'
    this.#expectedReadyAtMs = nowMs + restartMs + this.#lastLoadMs
    this.#cancelRestart = clock.after(restartMs, () => this.#start())
    log.error('engine_exited', { code, signal, restartMs, ...(error ? { error: error.message } : {}) })
    onGone()
  }
}

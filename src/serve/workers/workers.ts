/**
 * The workers of a server, as its main thread has them: it starts them, replaces those that die or hang, decides for all of them, and
 * settles what the dead ones left open. `docs/decisions/0099-workers.md` says who does what.
 */
import type { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { DiskSpace } from '../../base/disk-space.ts'
import { errorText, type Log } from '../../base/log.ts'
import type { LogLevel } from '../../base/log-fields.ts'
import type { Config } from '../../config/settings.ts'
import type { LastUsed } from '../../keys/last-used.ts'
import type { Limiter } from '../../limits/limiter-contract.ts'
import type { Models } from '../../models/contract.ts'
import type { Store } from '../../store/contract.ts'
import type { ExportCounts } from '../../traces/span-exporter.ts'
import type { UpstreamSet } from '../../upstreams/upstream-set.ts'
import type { BodyWriter } from '../../usage/body-writer.ts'
import type { Ledger } from '../../usage/ledger-contract.ts'
import type { RefusalLog } from '../../usage/refusal-log.ts'
import type { Certificate, WorkerCalls, WorkerNotes } from './protocol.ts'
import { createServedView } from './served-view.ts'
import { createSharedCounts } from './shared-counts.ts'
import type { SharedEpoch } from './shared-epoch.ts'
import { clearMemoryUse, type SharedMemory } from './shared-memory.ts'
import { createSharedSpanCounts, type SharedSpanCounts } from './shared-span-counts.ts'
import { createSharedThreadFigures, type SharedThreadFigures } from './shared-thread-figures.ts'
import { createSharedTicks } from './shared-ticks.ts'
import { type RunningWorker, startWorker } from './start-worker.ts'
import { createWorkerAccounting, type WorkerAccounting } from './worker-accounting.ts'
import { createWorkerScheduling } from './worker-scheduling.ts'
import { createWorkerStorage } from './worker-storage.ts'
import { createWorkerWatchdog, type WorkerWatchdog } from './worker-watchdog.ts'

/** How the lines of the log are formatted, and where they go. */
export type LogLines = { format: 'json' | 'text'; level: LogLevel; write(text: Uint8Array): void }

export type WorkersDependencies = {
  config: Config
  count: number
  memory: SharedMemory
  /** Where workers pass requests on to. */
  socketPath: string
  clock: Clock
  log: Log
  /** Null: events of the log are passed on as they are. */
  lines: LogLines | null
  models: Pick<Models, 'list' | 'find'>
  upstreams: UpstreamSet
  limiter: Pick<Limiter, 'precheck' | 'checkAndAdmit'>
  ledger: Pick<Ledger, 'reserve'>
  bodies: Pick<BodyWriter, 'isKept' | 'add'>
  refusals: Pick<RefusalLog, 'add'>
  lastUsed: Pick<LastUsed, 'touch'>
  store: Pick<Store, 'keys' | 'callers' | 'completions' | 'responses'>
  /** What stored answers are written to. */
  disk: DiskSpace
  epoch: SharedEpoch
}

type ListenTarget = { host: string; port: number; tls: Certificate | null }

/** Started one after the other while they die at once. */
const restartMs = 1000

type Member = { worker: RunningWorker; accounting: WorkerAccounting; figures: SharedThreadFigures }

export class Workers {
  readonly #dependencies: WorkersDependencies
  /** By their number; null while one is started again. */
  readonly #members: (Member | null)[] = []
  /** By the number of the worker. */
  readonly #spans: readonly SharedSpanCounts[]
  readonly #watchdog: WorkerWatchdog
  #target: ListenTarget | null = null
  #isStopping = false
  #deaths = 0

  constructor(dependencies: WorkersDependencies) {
    this.#dependencies = dependencies
    this.#spans = Array.from({ length: dependencies.count }, () => createSharedSpanCounts())
    this.#watchdog = createWorkerWatchdog(dependencies.clock)
    for (let index = 0; index < dependencies.count; index += 1) this.#start(index)
    dependencies.upstreams.onChange(() => this.modelsChanged())
  }

  get size(): number {
    return this.#dependencies.count
  }

  /** How many have died so far. */
  get deaths(): number {
    return this.#deaths
  }

  /** Which part of the time since the last call each was busy. */
  busy(): number[] {
    return this.#members.map((member) => member?.worker.busy() ?? 0)
  }

  heapBytes(): (number | null)[] {
    return this.#figures(({ heapBytes }) => heapBytes())
  }

  externalBytes(): (number | null)[] {
    return this.#figures(({ externalBytes }) => externalBytes())
  }

  /** The longest delay of the event loop of each since the last call, in seconds. */
  longestLags(): (number | null)[] {
    return this.#figures(({ longestLag }) => longestLag())
  }

  /** From here on requests arrive. Resolves to the port. */
  async listen(target: ListenTarget): Promise<number> {
    const [first, ...others] = this.#running()
    if (first === undefined) throw new Error('there are no workers')
    const { port } = await first.call('listen', target)
    this.#target = { ...target, port }
    await Promise.all(others.map((worker) => worker.call('listen', { ...target, port })))
    return port
  }

  setCertificate(pair: Certificate): void {
    if (this.#target !== null) this.#target = { ...this.#target, tls: pair }
    this.#noteAll('certificate', pair)
  }

  recheck(): void {
    this.#noteAll('recheck', null)
  }

  modelsChanged(): void {
    this.#noteAll('served', this.#served())
  }

  leaseLost(): void {
    this.#noteAll('leaseLost', null)
  }

  readCounts(): void {
    for (const member of this.#members) member?.accounting.readCounts()
  }

  /** What became of the spans of each, with those of its predecessors. */
  spanCounts(): ExportCounts[] {
    return this.#spans.map((counts) => counts.read())
  }

  closeConnections(): void {
    this.#noteAll('closeConnections', null)
  }

  refuseNew(): void {
    this.#noteAll('refuseNew', null)
  }

  abortAll(error: ApiError): void {
    this.#noteAll('abortAll', error.toPlain())
  }

  closeAllConnections(): void {
    this.#noteAll('closeAllConnections', null)
  }

  idle(): Promise<void> {
    return this.#askAll('idle', null)
  }

  closeListeners(how: { keepsIdle: boolean }): Promise<void> {
    // One that dies from now on is not replaced.
    this.#isStopping = true
    return this.#askAll('closeListener', how)
  }

  /** Ends one at once, as a crash would. */
  async kill(index: number): Promise<void> {
    await this.#members[index]?.worker.kill()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    // One that hangs is ended meanwhile.
    await this.#askAll('stop', null)
    this.#watchdog.close()
    await Promise.all(this.#running().map((worker) => worker.kill()))
  }

  #figures(read: (figures: SharedThreadFigures) => number): (number | null)[] {
    return this.#members.map((member) => (member === null ? null : read(member.figures)))
  }

  #running(): RunningWorker[] {
    return this.#members.flatMap((member) => member?.worker ?? [])
  }

  #noteAll<Name extends keyof WorkerNotes>(name: Name, value: WorkerNotes[Name]): void {
    for (const worker of this.#running()) worker.note(name, value)
  }

  /** One that dies meanwhile has nothing left to do. */
  async #askAll<Name extends keyof WorkerCalls>(name: Name, asks: WorkerCalls[Name]['asks']): Promise<void> {
    await Promise.allSettled(this.#running().map((worker) => worker.call(name, asks)))
  }

  #served() {
    const { models, upstreams } = this.#dependencies
    return createServedView(models, upstreams)
  }

  #start(index: number): void {
    const { config, memory, socketPath, lines, epoch, clock, log } = this.#dependencies
    const counts = createSharedCounts()
    const ticks = createSharedTicks()
    const figures = createSharedThreadFigures()
    const accounting = createWorkerAccounting({ ...this.#dependencies, counts })
    const scheduling = createWorkerScheduling({ ...this.#dependencies, begun: accounting.begun })
    const storage = createWorkerStorage(this.#dependencies)
    const startedMs = clock.monotonicMs()
    const worker = startWorker({
      data: {
        ...{ config, index, memory, socketPath, counts: counts.memory, epoch: epoch.memory },
        ticks: ticks.memory,
        figures: figures.memory,
        spans: (this.#spans[index] ?? createSharedSpanCounts()).memory,
        lines: lines === null ? null : { format: lines.format, level: lines.level },
      },
      handlers: {
        calls: { ...this.#createCalls(), ...accounting.calls, ...scheduling.calls, ...storage.calls },
        notes: { ...this.#createNotes(), ...accounting.notes, ...scheduling.notes, ...storage.notes },
      },
      onEnded: (cause) => {
        this.#members[index] = null
        unwatch()
        accounting.end()
        scheduling.end()
        storage.end()
        clearMemoryUse(memory, index)
        if (!this.#isStopping) this.#replace(index, cause, startedMs)
      },
    })
    const unwatch = this.#watchdog.watch(ticks, (silentMs) => {
      log.error('worker_hung', { worker: index, silentMs: Math.round(silentMs) })
      void worker.kill('its event loop hung')
    })
    this.#members[index] = { worker, accounting, figures }
    worker.note('served', this.#served())
    if (this.#target !== null) void this.#listenAgain(worker, this.#target)
  }

  #replace(index: number, cause: string, startedMs: number): void {
    const { clock, log } = this.#dependencies
    this.#deaths += 1
    log.error('worker_died', { worker: index, cause })
    const restart = (): void => {
      if (!this.#isStopping) this.#start(index)
    }
    // One that dies at its start may do so again.
    if (clock.monotonicMs() - startedMs >= restartMs) restart()
    else clock.after(restartMs, restart)
  }

  async #listenAgain(worker: RunningWorker, target: ListenTarget): Promise<void> {
    try {
      await worker.call('listen', target)
    } catch (error) {
      if (!this.#isStopping) this.#dependencies.log.error('worker_cannot_listen', { cause: errorText(error) })
    }
  }

  #createCalls(): Pick<Handled['calls'], 'findKey' | 'callerKeys' | 'callerMembers' | 'sync'> {
    const { store } = this.#dependencies
    return {
      findKey: (hash) => store.keys.findByHash(Buffer.from(hash, 'hex')),
      callerKeys: (ids) => store.callers.keys(ids),
      callerMembers: (members) => store.callers.members(members),
      sync: () => null,
    }
  }

  #createNotes(): Pick<Handled['notes'], 'touched' | 'refusal' | 'bodies' | 'logged' | 'lines'> {
    const { lastUsed, refusals, bodies, log, lines } = this.#dependencies
    return {
      touched: ({ keyId }) => lastUsed.touch(keyId),
      refusal: (refusal) => refusals.add(refusal),
      bodies: (stored) => bodies.add(stored),
      logged: ({ level, event, fields }) => log[level](event, fields),
      lines: (text) => lines?.write(text),
    }
  }
}

type Handled = Parameters<typeof startWorker>[0]['handlers']

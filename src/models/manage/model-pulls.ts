/**
 * Downloads of models that run in the server: they continue while nobody looks, can be paused and continued, and what an
 * earlier process left can be continued too.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { OperatorError } from '../../base/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import { requireModelName } from '../edit-model-list.ts'
import { modelsFolder } from '../model-list-file.ts'
import { readModelRows } from '../model-rows.ts'
import { type FreeBytes, readFreeBytes } from '../pull/disk-space.ts'
import { continueAdvice } from '../pull/download-file.ts'
import { type ModelSource, readModelSource } from '../pull/model-source.ts'
import { isPullLocked, lockPull } from '../pull/pull-lock.ts'
import { pullModel } from '../pull/pull-model.ts'
import { takenNames } from '../taken-names.ts'
import { followPull } from './follow-pull.ts'
import { findIncompletePulls } from './incomplete-pulls.ts'

/** `elsewhere`: another process downloads it, which alone can stop it. */
type PullState = 'running' | 'paused' | 'failed' | 'complete' | 'elsewhere'
export type PullStatus = {
  name: string
  /** Where its first file comes from. */
  from: string
  state: PullState
  /** Why it failed, in English; null in other states. */
  reason: string | null
  /** Of the file that is being downloaded. */
  receivedBytes: number
  totalBytes: number | null
  /** Which of the files of a split model, from 1 on. */
  file: number
  files: number
  /** Since it was last continued; null before the first bytes. */
  bytesPerSecond: number | null
}

type Pull = PullStatus & { stop: AbortController; ended: Promise<void> }
type ModelPullsOptions = {
  config: Config
  clock: Clock
  log: Log
  freeBytes?: FreeBytes
}

type PullWanted = {
  name: string
  source: ModelSource
  isHub: boolean
  /** What there was of it before; another address counts for nothing. */
  kept: PullStatus | undefined
  onComplete(name: string): Promise<void>
}

const maxRunning = 3
/** Those that ended are forgotten, the oldest first. */
const maxKept = 50

export class ModelPulls {
  readonly #options: ModelPullsOptions
  readonly #pulls = new Map<string, Pull>()
  /** Whose files are being deleted. */
  readonly #discarded = new Set<string>()

  constructor(options: ModelPullsOptions) {
    this.#options = options
  }

  /** The newest first, then what earlier processes left. */
  async list(): Promise<PullStatus[]> {
    const incomplete = await findIncompletePulls(this.#options.config.dataDir)
    const left = incomplete.flatMap((pull): PullStatus[] => {
      const own = this.#pulls.get(pull.name)
      if (own?.state === 'running' || this.#discarded.has(pull.name)) return []
      const state = isPullLocked(this.#folder(pull.name)) ? 'elsewhere' : 'paused'
      return own !== undefined && state === 'paused' ? [] : [{ ...pull, state, ...untouched }]
    })
    const known = [...this.#pulls.values()].toReversed().map(({ stop: _, ended: __, ...status }) => status)
    return [...known.filter(({ name }) => !left.some((pull) => pull.name === name)), ...left]
  }

  /** `onComplete` runs once its model is in the list; `kept` is what an earlier process has downloaded of it. */
  start(
    text: string,
    wanted: string | null,
    onComplete: (name: string) => Promise<void>,
    kept?: PullStatus,
  ): PullStatus {
    const { config } = this.#options
    const source = readModelSource(text, config.modelHubUrl)
    const name = requireModelName(wanted ?? source.name)
    const own = this.#pulls.get(name)
    if (own?.state === 'running') throw new OperatorError(`${name} is being downloaded already`)
    return this.#run({ name, source, isHub: isOfHub(text, config.modelHubUrl), kept: kept ?? own, onComplete })
  }

  async pause(name: string): Promise<void> {
    const pull = this.#find(name)
    if (pull.state !== 'running') throw new OperatorError(`${name} is not being downloaded`)
    pull.stop.abort()
    await pull.ended
  }

  async resume(name: string, onComplete: (name: string) => Promise<void>): Promise<PullStatus> {
    const known = (await this.list()).find((pull) => pull.name === name)
    if (known === undefined) throw new OperatorError(`There is no download of ${name}`)
    if (known.state === 'elsewhere') throw elsewhere(name)
    if (known.state === 'running' || known.state === 'complete')
      throw new OperatorError(`The download of ${name} needs not be continued`)
    return this.start(known.from, name, onComplete, known)
  }

  /** What was downloaded is deleted, unless a model of the list uses it: then only the report is forgotten. */
  async discard(name: string): Promise<{ wasComplete: boolean }> {
    const known = (await this.list()).find((pull) => pull.name === name)
    if (known === undefined) throw new OperatorError(`There is no download of ${name}`)
    const pull = this.#pulls.get(name)
    pull?.stop.abort()
    await pull?.ended
    const isComplete = (pull ?? known).state === 'complete'
    this.#discarded.add(name)
    try {
      if (!isComplete) await this.#deleteIncomplete(name)
    } finally {
      this.#discarded.delete(name)
    }
    this.#pulls.delete(name)
    return { wasComplete: isComplete }
  }

  async #deleteIncomplete(name: string): Promise<void> {
    const { config, clock } = this.#options
    const isIncomplete = async () => (await findIncompletePulls(config.dataDir)).some((each) => each.name === name)
    if (!(await isIncomplete())) return
    const folder = this.#folder(requireModelName(name))
    const lock = await lockPull(folder, clock)
    if (lock === null) throw elsewhere(name)
    try {
      // Again: a command may have completed it before the lock was taken.
      if (await isIncomplete()) await rm(folder, { recursive: true, force: true })
    } finally {
      lock.release()
    }
  }

  #folder(name: string): string {
    return join(modelsFolder(this.#options.config.dataDir), name)
  }

  /** Of one that ended. */
  forget(name: string): void {
    if (this.#pulls.get(name)?.state === 'complete') this.#pulls.delete(name)
  }

  /** Running downloads stop, and can be continued after the next start. */
  async close(): Promise<void> {
    for (const { stop } of this.#pulls.values()) stop.abort()
    await Promise.all([...this.#pulls.values()].map(({ ended }) => ended))
  }

  #find(name: string): Pull {
    const pull = this.#pulls.get(name)
    if (pull === undefined) throw new OperatorError(`There is no download of ${name}`)
    return pull
  }

  #run(wanted: PullWanted): PullStatus {
    const { name, source, kept } = wanted
    const running = [...this.#pulls.values()].filter(({ state }) => state === 'running')
    if (running.length >= maxRunning)
      throw new OperatorError(`${maxRunning} models are being downloaded already: pause one, or wait`)
    const from = source.files[0]?.url.href ?? ''
    const pull: Pull = {
      ...{ name, from, state: 'running', ...untouched, files: source.files.length },
      ...(kept?.from === from ? readPlace(kept) : { receivedBytes: 0, totalBytes: null, file: 1 }),
      ...{ stop: new AbortController(), ended: Promise.resolve() },
    }
    this.#pulls.delete(name)
    this.#pulls.set(name, pull)
    this.#forgetOld()
    pull.ended = this.#download(pull, wanted)
    const { stop: _, ended: __, ...status } = pull
    return status
  }

  async #download(pull: Pull, { source, isHub, onComplete }: PullWanted): Promise<void> {
    const { config, clock, log } = this.#options
    try {
      const { rows } = await readModelRows(config)
      await pullModel({
        ...{ dataDir: config.dataDir, source, sha256: null, token: isHub ? config.modelHubToken : null },
        ...{ model: { name: pull.name, aliases: [], contextTokens: null } },
        ...{
          freeBytes: (folder) => this.#freeBytes(folder, pull),
          clock,
          signal: pull.stop.signal,
          taken: takenNames(rows),
          onProgress: followPull(pull, source, clock),
        },
      })
      await onComplete(pull.name)
      pull.state = 'complete'
    } catch (error) {
      if (pull.stop.signal.aborted) {
        pull.state = 'paused'
        return
      }
      if (!(error instanceof OperatorError)) log.error('model_pull_failed', { model: pull.name, error: String(error) })
      pull.reason =
        error instanceof OperatorError
          ? error.message.replace(` ${continueAdvice}`, '').replace(' with --name', '')
          : 'The download failed; see the log.'
      // What turned out to be wrong was deleted.
      const left = (await findIncompletePulls(config.dataDir)).find(({ name }) => name === pull.name)
      pull.receivedBytes = left?.receivedBytes ?? 0
      pull.state = 'failed'
    }
  }

  /** Without what the other downloads have still to write, so that they do not fill the disk together. */
  async #freeBytes(folder: string, own: Pull): Promise<number> {
    const { freeBytes = readFreeBytes } = this.#options
    const others = [...this.#pulls.values()].filter((pull) => pull !== own && pull.state === 'running')
    const promised = others.reduce(
      (sum, { totalBytes, receivedBytes }) => sum + (totalBytes ?? receivedBytes) - receivedBytes,
      0,
    )
    return (await freeBytes(folder)) - promised
  }

  #forgetOld(): void {
    for (const [name, { state }] of this.#pulls)
      if (this.#pulls.size > maxKept && state !== 'running') this.#pulls.delete(name)
  }
}

const elsewhere = (name: string): OperatorError =>
  new OperatorError(`Another process is downloading ${name}, such as 'helix models pull': stop it there first`)

const readPlace = ({ receivedBytes, totalBytes, file }: PullStatus) => ({ receivedBytes, totalBytes, file })

const untouched = { reason: null, bytesPerSecond: null }

/** The token of the hub goes to the hub only. */
const isOfHub = (source: string, hubUrl: string): boolean => source.startsWith('hf:') || source.startsWith(`${hubUrl}/`)

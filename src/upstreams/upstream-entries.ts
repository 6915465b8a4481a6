import { isDeepStrictEqual } from 'node:util'
import type { Seal } from '../accounts/secrets/seal.ts'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { UpstreamSetting } from '../config/upstream-setting.ts'
import type { UpstreamRecord } from '../store/upstream-contract.ts'
import type { Upstream } from './contract.ts'
import { describeUpstream, type UpstreamDescription } from './describe-upstream.ts'
import type { HostedPrices } from './hosted-prices.ts'
import { listUpstreamModels } from './list-upstream-models.ts'
import { readStoredEntry } from './stored-upstream.ts'
import { createEntry, toUpstream, type UpstreamEntry } from './upstream-entry.ts'
import type { UpstreamProblem } from './upstream-fault.ts'
import type { UpstreamSet } from './upstream-set.ts'

type EntriesOptions = {
  /** Of the settings. */
  configured: readonly UpstreamSetting[]
  seal: Seal
  set: UpstreamSet
  /** Prices of providers, for upstreams with a preset; null: none. */
  hostedPrices?: HostedPrices | null
  clock: Clock
  log: Log
}

/** All upstreams with what is known about each. Changes apply to the set of upstreams in use with `apply`. */
export class UpstreamEntries {
  readonly #options: EntriesOptions
  #stored: readonly UpstreamRecord[]
  /** Of the settings and of the store: those that the operator manages. */
  own: readonly UpstreamEntry[]
  #nodes: readonly UpstreamEntry[] = []

  constructor(options: EntriesOptions, stored: readonly UpstreamRecord[]) {
    this.#options = options
    this.#stored = stored
    this.own = this.#listOwn(stored)
  }

  /** Throws `upstream_not_found`. */
  find(name: string): UpstreamEntry {
    const entry = this.#all().find(({ setting }) => setting.name === name)
    if (entry === undefined) throw ApiError.of('upstream_not_found', { name: name.slice(0, 64) })
    return entry
  }

  describe(entry: UpstreamEntry): UpstreamDescription {
    const { set } = this.#options
    const { name } = entry.setting
    const health = set.stateOf(name)?.health() ?? null
    return describeUpstream(entry, this.toUpstream(entry).models, set.clashesOf(name), set.trafficOf(name), health)
  }

  toUpstream(entry: UpstreamEntry): Upstream {
    return toUpstream(entry, this.#options.hostedPrices ?? null)
  }

  describeAll(): UpstreamDescription[] {
    return this.#all().map((entry) => this.describe(entry))
  }

  apply(): void {
    this.#options.set.replace(this.#all().map((entry) => this.toUpstream(entry)))
  }

  /** How the last check of an upstream went. A fault that lasts is logged once. */
  report(entry: UpstreamEntry, problem: UpstreamProblem | null): void {
    const { clock, log } = this.#options
    const { name } = entry.setting
    if (problem !== null && entry.lastCheck?.problem?.fault !== problem.fault)
      log.warn('upstream_check_failed', { upstream: name, fault: problem.fault, reason: problem.reason })
    entry.lastCheck = { at: clock.now(), problem }
  }

  /** Whether it answers at all, and which models it lists. */
  async readModels(entry: UpstreamEntry): Promise<void> {
    const { models, problem } = await listUpstreamModels(this.toUpstream(entry))
    // Some servers have no list, and need none if their models are named.
    if (problem?.fault === 'not_an_api' && entry.setting.models !== null) return
    this.report(entry, problem)
    if (models !== null) entry.listed = models
  }

  async readAllModels(): Promise<void> {
    const before = this.#listing().map(({ listed }) => JSON.stringify(listed))
    await Promise.all(this.#listing().map((entry) => this.readModels(entry)))
    const after = this.#listing().map(({ listed }) => JSON.stringify(listed))
    if (before.join() !== after.join()) this.apply()
  }

  setNodes(nodes: readonly UpstreamEntry[]): void {
    this.#nodes = nodes
    this.apply()
  }

  /** What was learned about an upstream stays, unless its definition is another; so does its entry, which a check may be about to report on. */
  async reload(stored: readonly UpstreamRecord[]): Promise<void> {
    if (JSON.stringify(stored) === JSON.stringify(this.#stored)) return
    this.#stored = stored
    const before = this.own
    this.own = this.#listOwn(stored).map((entry) => {
      const known = before.find(({ setting }) => isDeepStrictEqual(setting, entry.setting))
      if (known === undefined) return entry
      known.isDraining = entry.isDraining
      return known
    })
    const isNew = ({ setting }: UpstreamEntry): boolean => !before.some((old) => old.setting === setting)
    await Promise.all(
      this.#listing()
        .filter(isNew)
        .map((entry) => this.readModels(entry)),
    )
    this.apply()
    this.#resumeEdited(before)
  }

  /** What was wrong with an upstream before it was edited says nothing about it now. */
  #resumeEdited(before: readonly UpstreamEntry[]): void {
    for (const { setting } of this.own)
      if (before.some((old) => old.setting.name === setting.name && !isDeepStrictEqual(old.setting, setting)))
        this.#options.set.stateOf(setting.name)?.resume()
  }

  #listOwn(stored: readonly UpstreamRecord[]): UpstreamEntry[] {
    const { configured, seal, log } = this.#options
    return [
      ...configured.map((setting) => createEntry(setting, 'settings', stored)),
      ...stored.flatMap((record) => readStoredEntry(record, configured, seal, log)),
    ]
  }

  #all(): UpstreamEntry[] {
    return [...this.own, ...this.#nodes]
  }

  /** Those whose models are not named, but listed by themselves. */
  #listing(): UpstreamEntry[] {
    return this.own.filter(({ setting }) => setting.models === null)
  }
}

/**
 * The upstreams that the operator manages: those of the settings, and those that were added while the server runs. Every
 * change is stored, is in the audit log, and applies at once.
 */

import { auditEvent } from '../accounts/audit-event.ts'
import type { Seal } from '../accounts/secrets/seal.ts'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { UpstreamSetting } from '../config/upstream-setting.ts'
import type { AuditAction } from '../store/audit-actions.ts'
import type { AuditActor, AuditEvent } from '../store/audit-contract.ts'
import type { UpstreamRecords } from '../store/upstream-contract.ts'
import { checkUpstream, type UpstreamCheck } from './check-upstream.ts'
import type { UpstreamDescription } from './describe-upstream.ts'
import type { HostedPrices } from './hosted-prices.ts'
import { storedForm } from './stored-upstream.ts'
import { UpstreamEntries } from './upstream-entries.ts'
import { createEntry, type UpstreamEntry } from './upstream-entry.ts'
import type { UpstreamProblem } from './upstream-fault.ts'
import type { UpstreamSet } from './upstream-set.ts'
import { invalidUpstream, readChanged, readWanted } from './wanted-upstream.ts'

export interface UpstreamRegistry {
  list(): UpstreamDescription[]
  /** `wanted` has the fields of the setting `upstreams`, except for `keyFrom`. */
  add(by: AuditActor, wanted: unknown): Promise<UpstreamDescription>
  /**
   * Changes an upstream that was added. `changes` has fields of the setting `upstreams`; what is missing stays as it is. The
   * key has to be given again for another server, because nobody can read it back.
   */
  edit(by: AuditActor, name: string, changes: Readonly<Record<string, unknown>>): Promise<UpstreamDescription>
  /** Resolves to whether this changed anything. To resume it ends a pause too. */
  setDraining(by: AuditActor, name: string, isDraining: boolean): Promise<boolean>
  remove(by: AuditActor, name: string): Promise<void>
  /** One that works is not paused any longer. */
  check(name: string): Promise<UpstreamCheck>
  /** The same check of an upstream as it would be added, or of the one with this name as it would be changed; nothing is stored. */
  tryOut(wanted: Readonly<Record<string, unknown>>, edited: string | null): Promise<UpstreamCheck>
  /** Another node has found that it works. */
  endPause(name: string): void
  /** How the last canary of an upstream went. */
  reportCanary(name: string, problem: UpstreamProblem | null): void
  /** Reads the models of those that list them themselves. */
  readModels(): Promise<void>
  /** Another node may have changed the list. */
  reload(): Promise<void>
  /** The engine nodes of the cluster, beside those that the operator manages. */
  setNodes(entries: readonly UpstreamEntry[]): void
}

type RegistryOptions = {
  /** Of the settings. */
  configured: readonly UpstreamSetting[]
  records: UpstreamRecords
  seal: Seal
  set: UpstreamSet
  /** Prices of providers, for upstreams with a preset; null: none. */
  hostedPrices?: HostedPrices | null
  clock: Clock
  log: Log
  /** The list was changed here, or the pause of an upstream was ended. */
  onChanged?(resumed?: string): void
}

const maxUpstreams = 100

export const openUpstreamRegistry = async (options: RegistryOptions): Promise<UpstreamRegistry> => {
  const entries = new UpstreamEntries(options, await options.records.list())
  entries.apply()
  return new StoredRegistry(options, entries)
}

class StoredRegistry implements UpstreamRegistry {
  readonly #options: RegistryOptions
  readonly #entries: UpstreamEntries
  #lastEdit: Promise<unknown> = Promise.resolve()

  constructor(options: RegistryOptions, entries: UpstreamEntries) {
    this.#options = options
    this.#entries = entries
  }

  list(): UpstreamDescription[] {
    return this.#entries.describeAll()
  }

  async add(by: AuditActor, wanted: unknown): Promise<UpstreamDescription> {
    const { records, seal, clock, onChanged } = this.#options
    const setting = readWanted(wanted)
    if (this.#entries.own.length >= maxUpstreams)
      throw invalidUpstream(`There can be at most ${maxUpstreams} upstreams.`)
    if (this.#entries.own.some((entry) => entry.setting.name === setting.name)) throw exists(setting)
    await this.#requireTokenizers(setting)
    const record = { ...storedForm(setting, seal), isDraining: false, createdAt: clock.now() }
    if (!(await records.insert(record, this.#event('upstream.added', by, setting)))) throw exists(setting)
    const entry = createEntry(setting, 'added', [])
    // The list may have been read again since it was inserted.
    this.#entries.own = [...this.#entries.own.filter((other) => other.setting.name !== setting.name), entry]
    await this.#entries.readModels(entry)
    this.#entries.apply()
    onChanged?.()
    return this.#entries.describe(entry)
  }

  async edit(by: AuditActor, name: string, changes: Readonly<Record<string, unknown>>): Promise<UpstreamDescription> {
    const { records, seal, set, onChanged } = this.#options
    // Of two edits at once, the second changes what the first has left.
    const edited = await this.#inTurn(async () => {
      const entry = this.#findAdded(name)
      const setting = readChanged(entry.setting, changes)
      await this.#requireTokenizers(setting)
      if (!(await records.update(storedForm(setting, seal), this.#event('upstream.changed', by, setting))))
        throw ApiError.of('upstream_not_found', { name })
      const isSameServer = setting.url === entry.setting.url
      const changed = { ...createEntry(setting, 'added', []), isDraining: entry.isDraining }
      if (isSameServer) changed.listed = entry.listed
      // Not by the entry: the list may have been read again meanwhile.
      this.#entries.own = this.#entries.own.map((other) => (other.setting.name === name ? changed : other))
      return changed
    })
    await this.#entries.readModels(edited)
    this.#entries.apply()
    set.stateOf(name)?.resume()
    onChanged?.(name)
    return this.#entries.describe(edited)
  }

  async setDraining(by: AuditActor, name: string, isDraining: boolean): Promise<boolean> {
    const { records, set, onChanged } = this.#options
    const entry = this.#findOwn(name)
    const event = this.#event(isDraining ? 'upstream.drained' : 'upstream.resumed', by, entry.setting)
    const changed = await records.setDraining(name, isDraining, event)
    entry.isDraining = isDraining
    this.#entries.apply()
    const wasPaused = !isDraining && (set.stateOf(name)?.resume() ?? false)
    onChanged?.(isDraining ? undefined : name)
    return changed || wasPaused
  }

  async remove(by: AuditActor, name: string): Promise<void> {
    const { records, onChanged } = this.#options
    const entry = this.#findAdded(name)
    await records.remove(name, this.#event('upstream.removed', by, entry.setting))
    this.#entries.own = this.#entries.own.filter((other) => other.setting.name !== name)
    this.#entries.apply()
    onChanged?.()
  }

  async check(name: string): Promise<UpstreamCheck> {
    const { set, clock, onChanged } = this.#options
    const entry = this.#entries.find(name)
    const upstream = this.#entries.toUpstream(entry)
    const result = await this.#check(entry)
    this.#entries.report(entry, result.problem)
    if (result.problem === null) {
      if (upstream.canary !== null) entry.lastCanary = { at: clock.now(), problem: null }
      set.stateOf(name)?.resume()
      onChanged?.(name)
    }
    return result
  }

  tryOut(wanted: Readonly<Record<string, unknown>>, edited: string | null): Promise<UpstreamCheck> {
    const setting = edited === null ? readWanted(wanted) : readChanged(this.#findAdded(edited).setting, wanted)
    return this.#check(createEntry(setting, 'added', []))
  }

  endPause(name: string): void {
    this.#options.set.stateOf(name)?.resume()
  }

  /** Bound, because it is passed on as a callback. */
  readonly reportCanary = (name: string, problem: UpstreamProblem | null): void => {
    const { log, clock } = this.#options
    const entry = this.#entries.own.find(({ setting }) => setting.name === name)
    if (entry === undefined) return
    if (problem !== null)
      log.warn('upstream_canary_failed', { upstream: name, fault: problem.fault, reason: problem.reason })
    entry.lastCanary = { at: clock.now(), problem }
  }

  readModels(): Promise<void> {
    return this.#entries.readAllModels()
  }

  async reload(): Promise<void> {
    await this.#entries.reload(await this.#options.records.list())
  }

  setNodes(nodes: readonly UpstreamEntry[]): void {
    this.#entries.setNodes(nodes)
  }

  #inTurn<Result>(edit: () => Promise<Result>): Promise<Result> {
    const edited = this.#lastEdit.then(edit)
    this.#lastEdit = edited.catch(() => {})
    return edited
  }

  async #check(entry: UpstreamEntry): Promise<UpstreamCheck> {
    const upstream = this.#entries.toUpstream(entry)
    const unusable = await this.#options.set.checkTokenizers(upstream.models)
    if (unusable === null) return checkUpstream(upstream, (listed) => this.#entries.toUpstream({ ...entry, listed }))
    return { problem: { fault: 'bad_tokenizer', reason: `${unusable}.` }, listed: null, model: null }
  }

  #findOwn(name: string): UpstreamEntry {
    const entry = this.#entries.find(name)
    if (entry.source === 'node') throw ApiError.of('upstream_is_node', { name })
    return entry
  }

  #findAdded(name: string): UpstreamEntry {
    const entry = this.#findOwn(name)
    if (entry.source === 'settings') throw ApiError.of('upstream_in_settings', { name })
    return entry
  }

  async #requireTokenizers({ models }: UpstreamSetting): Promise<void> {
    const unusable = await this.#options.set.checkTokenizers(models ?? [])
    if (unusable !== null) throw invalidUpstream(`A tokenizer cannot be used: ${unusable}.`)
  }

  #event(action: AuditAction, actor: AuditActor, { name }: UpstreamSetting): AuditEvent {
    return auditEvent(action, actor, this.#options.clock.now(), { target: { kind: 'upstream', id: name, name } })
  }
}

const exists = ({ name }: UpstreamSetting): ApiError => ApiError.of('upstream_exists', { name })

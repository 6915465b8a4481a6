/**
 * The upstreams that the operator manages: those of the settings, and those that were added while the server runs. Every
 * change is stored, is in the audit log, and applies at once.
 */

import { isDeepStrictEqual } from 'node:util'
import { auditEvent } from '../accounts/audit-event.ts'
import type { Seal } from '../accounts/secrets/seal.ts'
import { sealedContexts } from '../accounts/secrets/sealed-contexts.ts'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { SettingError } from '../config/setting.ts'
import { readUpstream, type UpstreamSetting } from '../config/upstream-setting.ts'
import type { AuditAction } from '../store/audit-actions.ts'
import type { AuditActor, AuditEvent } from '../store/audit-contract.ts'
import type { UpstreamRecord, UpstreamRecords } from '../store/upstream-contract.ts'
import { checkUpstream, type UpstreamCheck } from './check-upstream.ts'
import { describeUpstream, type UpstreamDescription } from './describe-upstream.ts'
import { listUpstreamModels } from './list-upstream-models.ts'
import type { UpstreamEntry } from './upstream-entry.ts'
import type { UpstreamProblem } from './upstream-fault.ts'
import { upstreamOfSetting } from './upstream-of-setting.ts'
import type { UpstreamSet } from './upstream-set.ts'

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
  clock: Clock
  log: Log
  /** The list was changed here, or the pause of an upstream was ended. */
  onChanged?(resumed?: string): void
}

const maxUpstreams = 100

export const openUpstreamRegistry = async (options: RegistryOptions): Promise<UpstreamRegistry> => {
  const { configured, records, seal, set, clock, log, onChanged } = options
  let stored = await records.list()
  const listEntries = (list: readonly UpstreamRecord[]): UpstreamEntry[] => [
    ...configured.map((setting) => createEntry(setting, 'settings', list)),
    ...list.flatMap((record) => entryOfRecord(record, configured, seal, log)),
  ]
  let entries = listEntries(stored)
  let nodes: readonly UpstreamEntry[] = []
  const all = (): UpstreamEntry[] => [...entries, ...nodes]
  const apply = (): void => set.replace(all().map(toUpstream))
  const find = (name: string): UpstreamEntry => {
    const entry = all().find(({ setting }) => setting.name === name)
    if (entry === undefined) throw ApiError.of('upstream_not_found', { name: name.slice(0, 64) })
    return entry
  }
  const findOwn = (name: string): UpstreamEntry => {
    const entry = find(name)
    if (entry.source === 'node') throw ApiError.of('upstream_is_node', { name })
    return entry
  }
  const describe = (entry: UpstreamEntry): UpstreamDescription =>
    describeUpstream(
      entry,
      toUpstream(entry).models,
      set.clashesOf(entry.setting.name),
      set.trafficOf(entry.setting.name),
      set.stateOf(entry.setting.name)?.health() ?? null,
    )
  const createEvent = (action: AuditAction, actor: AuditActor, { name }: UpstreamSetting): AuditEvent =>
    auditEvent(action, actor, clock.now(), { target: { kind: 'upstream', id: name, name } })
  const report = (entry: UpstreamEntry, problem: UpstreamCheck['problem']): void => {
    const { name } = entry.setting
    if (problem !== null && entry.lastCheck?.problem?.fault !== problem.fault)
      log.warn('upstream_check_failed', { upstream: name, fault: problem.fault, reason: problem.reason })
    entry.lastCheck = { at: clock.now(), problem }
  }
  const readModels = async (entry: UpstreamEntry): Promise<boolean> => {
    const { models, problem } = await listUpstreamModels(toUpstream(entry))
    report(entry, problem)
    if (models !== null) entry.listed = models
    return models !== null
  }
  const listing = (): UpstreamEntry[] => entries.filter(({ setting }) => setting.models === null)
  apply()
  return {
    list: () => all().map(describe),
    async add(by, wanted) {
      const setting = readWanted(wanted)
      if (entries.length >= maxUpstreams) throw invalid(`There can be at most ${maxUpstreams} upstreams.`)
      if (entries.some((entry) => entry.setting.name === setting.name)) throw exists(setting)
      const unusable = await set.checkTokenizers(setting.models ?? [])
      if (unusable !== null) throw invalid(`A tokenizer cannot be used: ${unusable}.`)
      const record: UpstreamRecord = { ...storedForm(setting, seal), isDraining: false, createdAt: clock.now() }
      if (!(await records.insert(record, createEvent('upstream.added', by, setting)))) throw exists(setting)
      const entry = createEntry(setting, 'added', [])
      entries = [...entries, entry]
      if (setting.models === null) await readModels(entry)
      apply()
      onChanged?.()
      return describe(entry)
    },
    async edit(by, name, changes) {
      const entry = findOwn(name)
      if (entry.source === 'settings') throw ApiError.of('upstream_in_settings', { name })
      const setting = readWanted(editedSetting(entry.setting, changes))
      const unusable = await set.checkTokenizers(setting.models ?? [])
      if (unusable !== null) throw invalid(`A tokenizer cannot be used: ${unusable}.`)
      if (!(await records.update(storedForm(setting, seal), createEvent('upstream.changed', by, setting))))
        throw ApiError.of('upstream_not_found', { name })
      const isSameServer = setting.url === entry.setting.url
      const edited = { ...createEntry(setting, 'added', []), isDraining: entry.isDraining }
      if (isSameServer) edited.listed = entry.listed
      entries = entries.map((other) => (other === entry ? edited : other))
      if (setting.models === null) await readModels(edited)
      apply()
      set.stateOf(name)?.resume()
      onChanged?.(name)
      return describe(edited)
    },
    async setDraining(by, name, isDraining) {
      const entry = findOwn(name)
      const event = createEvent(isDraining ? 'upstream.drained' : 'upstream.resumed', by, entry.setting)
      const changed = await records.setDraining(name, isDraining, event)
      entry.isDraining = isDraining
      apply()
      const wasPaused = !isDraining && (set.stateOf(name)?.resume() ?? false)
      onChanged?.(isDraining ? undefined : name)
      return changed || wasPaused
    },
    async remove(by, name) {
      const entry = findOwn(name)
      if (entry.source === 'settings') throw ApiError.of('upstream_in_settings', { name })
      await records.remove(name, createEvent('upstream.removed', by, entry.setting))
      entries = entries.filter((other) => other !== entry)
      apply()
      onChanged?.()
    },
    async check(name) {
      const entry = find(name)
      const upstream = toUpstream(entry)
      const unusable = await set.checkTokenizers(upstream.models)
      const result: UpstreamCheck =
        unusable === null
          ? await checkUpstream(upstream)
          : { problem: { fault: 'bad_tokenizer', reason: `${unusable}.` }, listed: null, model: null }
      report(entry, result.problem)
      if (result.problem === null) {
        if (upstream.canary !== null) entry.lastCanary = { at: clock.now(), problem: null }
        set.stateOf(name)?.resume()
        onChanged?.(name)
      }
      return result
    },
    endPause: (name) => void set.stateOf(name)?.resume(),
    reportCanary(name, problem) {
      const entry = entries.find(({ setting }) => setting.name === name)
      if (entry === undefined) return
      if (problem !== null)
        log.warn('upstream_canary_failed', { upstream: name, fault: problem.fault, reason: problem.reason })
      entry.lastCanary = { at: clock.now(), problem }
    },
    async readModels() {
      const before = listing().map(({ listed }) => JSON.stringify(listed))
      await Promise.all(listing().map(readModels))
      const after = listing().map(({ listed }) => JSON.stringify(listed))
      if (before.join() !== after.join()) apply()
    },
    async reload() {
      const list = await records.list()
      if (JSON.stringify(list) === JSON.stringify(stored)) return
      stored = list
      const before = entries
      // What was learned about an upstream stays, unless its definition is another.
      entries = listEntries(list).map((entry) => {
        const known = before.find(({ setting }) => isDeepStrictEqual(setting, entry.setting))
        return known === undefined ? entry : { ...known, isDraining: entry.isDraining }
      })
      await Promise.all(
        listing()
          .filter((entry) => !before.some(({ setting }) => setting === entry.setting))
          .map(readModels),
      )
      apply()
      // What was wrong with an upstream before it was edited says nothing about it now.
      for (const { setting } of entries)
        if (before.some((old) => old.setting.name === setting.name && !isDeepStrictEqual(old.setting, setting)))
          set.stateOf(setting.name)?.resume()
    },
    setNodes(next) {
      nodes = next
      apply()
    },
  }
}

/** As it is in the database. */
const storedForm = ({ key, keyFrom: _, ...definition }: UpstreamSetting, seal: Seal) => ({
  name: definition.name,
  definition: JSON.stringify(definition),
  sealedKey: key === null ? null : seal.close(Buffer.from(key), sealedContexts.upstream(definition.name)),
})

const editedSetting = (
  { key, keyFrom: _, ...kept }: UpstreamSetting,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const edited = { ...kept, key, ...changes, name: kept.name }
  const isElsewhere = typeof edited.url === 'string' && URL.parse(edited.url)?.origin !== URL.parse(kept.url)?.origin
  if (isElsewhere && key !== null && changes.key === undefined)
    throw invalid('The URL is that of another server. Send its key too, or null if it needs none.')
  return edited
}

const toUpstream = ({ setting, listed, isDraining, tls }: UpstreamEntry) =>
  upstreamOfSetting(setting, listed, isDraining, tls)

const createEntry = (
  setting: UpstreamSetting,
  source: UpstreamEntry['source'],
  stored: readonly UpstreamRecord[],
): UpstreamEntry => ({
  setting,
  source,
  tls: null,
  isDraining: stored.some(({ name, isDraining }) => name === setting.name && isDraining),
  listed: [],
  lastCheck: null,
  lastCanary: null,
})

/** Empty if the settings define the upstream, or if the record is of a newer version and cannot be read. */
const entryOfRecord = (
  record: UpstreamRecord,
  configured: readonly UpstreamSetting[],
  seal: Seal,
  log: Log,
): UpstreamEntry[] => {
  const { name, definition, sealedKey } = record
  if (definition === null || configured.some((setting) => setting.name === name)) return []
  try {
    const setting = readUpstream(parseJsonText(definition), `upstream ${name}`)
    const key = sealedKey === null ? null : (seal.open(sealedKey, sealedContexts.upstream(name))?.toString() ?? null)
    if (sealedKey !== null && key === null) log.error('upstream_key_unreadable', { upstream: name })
    return [createEntry({ ...setting, key }, 'added', [record])]
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    log.error('upstream_unreadable', { upstream: name, reason: error.message })
    return []
  }
}

const readWanted = (wanted: unknown): UpstreamSetting => {
  try {
    const setting = readUpstream(wanted, 'upstream')
    if (setting.keyFrom !== null) throw new SettingError('upstream, keyFrom: unknown field')
    if (setting.models?.some((model) => model.default))
      throw new SettingError('upstream, models: only the settings can choose the default model')
    return setting
  } catch (error) {
    throw error instanceof SettingError ? invalid(`${error.message}.`) : error
  }
}

const invalid = (reason: string): ApiError => ApiError.of('invalid_upstream', { reason })
const exists = ({ name }: UpstreamSetting): ApiError => ApiError.of('upstream_exists', { name })

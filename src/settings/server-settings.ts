/**
 * The settings that the owner of the server changes in the console. May import `accounts`, `store`, `config` and `base`. Promises:
 * a change is stored together with its event in the audit log, applies at once to this node and its workers, and soon to other
 * nodes; secrets are stored encrypted and shown to nobody.
 */
import { auditEvent } from '../accounts/audit-event.ts'
import type { Seal } from '../accounts/secrets/seal.ts'
import { sealedContexts } from '../accounts/secrets/sealed-contexts.ts'
import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { describeConfig, type ShownSetting } from '../config/describe-config.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { applySaved, type EffectiveConfig, type SavedSettings } from '../config/saved-settings.ts'
import { isFixed, type SettingOrigins } from '../config/setting-origin.ts'
import { runTimeNames, type SettingName, settingNames, settings } from '../config/settings.ts'
import type { AuditActor, AuditEvent } from '../store/audit-contract.ts'
import type { SettingRecord, SettingRecords } from '../store/setting-contract.ts'
import { checkChanges } from './check-changes.ts'
import { describeChange } from './describe-change.ts'
import { readSaved } from './read-saved.ts'

/** A setting as the console shows it. */
type ListedSetting = ShownSetting & {
  /** Set on the command line or in the environment, which the console cannot overrule. */
  isFixed: boolean
  /** Why a saved value is not used; null if it is, or none is saved. */
  ignoredBecause: string | null
  /** What it would be without the saved value; null if none is saved or it is a secret. */
  unsavedValue: string | null
}

export interface ServerSettings {
  list(): ListedSetting[]
  /**
   * Null as a value: what was saved is removed. Throws `invalid_setting`, with the sentence of the loader, or `changed_meanwhile`,
   * if a setting no longer is what it was in the list (`were`), and changes nothing.
   */
  save(by: AuditActor, changes: Readonly<Record<string, unknown>>, were?: ShownValues): Promise<void>
  /** Another node may have changed them. */
  reload(): Promise<void>
  /** Called after every change, here or at another node. */
  onChanged(listener: () => void): void
}

/** Values by name, as `list` shows them. */
type ShownValues = Readonly<Record<string, string | null>>

type SettingsOptions = {
  live: LiveConfig
  origins: SettingOrigins
  records: SettingRecords
  seal: Seal
  clock: Clock
  log: Log
  /** They were changed here. */
  announce(): void
}

/** Prices of many models would fill the sentence of an error. */
const maxShownChars = 100

export const openServerSettings = async (options: SettingsOptions): Promise<ServerSettings> => {
  const opened = new StoredSettings(options)
  await opened.reload()
  return opened
}

class StoredSettings implements ServerSettings {
  readonly #options: SettingsOptions
  readonly #listeners: (() => void)[] = []
  #saved: SavedSettings = new Map()
  #effective: EffectiveConfig
  /** Secrets that another key has sealed, and when each was saved. */
  readonly #unreadable = new Map<string, number>()
  /** Changes and readings one after the other: the old value in the audit log is right, and no reading undoes a change that it has not seen. */
  #last: Promise<void> = Promise.resolve()

  constructor(options: SettingsOptions) {
    this.#options = options
    this.#effective = { config: options.live.started, origins: options.origins, ignored: new Map() }
  }

  list(): ListedSetting[] {
    const { live, origins } = this.#options
    const { config, origins: current, ignored } = this.#effective
    const unsaved = new Map(describeConfig(live.started).map(({ name, value }) => [name, value]))
    return describeConfig(config, current).map((setting) => ({
      ...setting,
      isFixed: isFixed(origins[setting.name]),
      ignoredBecause: ignored.get(setting.name) ?? null,
      unsavedValue: this.#saved.has(setting.name) ? (unsaved.get(setting.name) ?? null) : null,
    }))
  }

  save(by: AuditActor, changes: Readonly<Record<string, unknown>>, were: ShownValues = {}): Promise<void> {
    return this.#inTurn(() => this.#save(by, changes, were))
  }

  reload(): Promise<void> {
    return this.#inTurn(() => this.#read())
  }

  onChanged(listener: () => void): void {
    this.#listeners.push(listener)
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #read(): Promise<void> {
    const { records, seal } = this.#options
    const unreadable: string[] = []
    const saved = readSaved(await records.list(), seal, ({ name, changedAt }) => {
      unreadable.push(name)
      this.#warnUnreadable(name, changedAt)
    })
    for (const name of this.#unreadable.keys()) if (!unreadable.includes(name)) this.#unreadable.delete(name)
    this.#apply(saved)
  }

  async #save(by: AuditActor, wanted: Readonly<Record<string, unknown>>, were: ShownValues): Promise<void> {
    const { records, clock, announce } = this.#options
    await this.#read()
    const changes = Object.entries(wanted).map(([name, value]) => [this.#requireName(name), value] as const)
    this.#requireUnchanged(were)
    const saved = new Map(this.#saved)
    for (const [name, value] of changes) {
      if (value === null) saved.delete(name)
      else saved.set(name, value)
    }
    const changed = changes.map(([name]) => name)
    const effective = checkChanges(this.#started(), { saved, changed, ignored: this.#effective.ignored })
    const now = clock.now()
    const written = changes.filter(([, value]) => value !== null).map(([name, value]) => this.#record(name, value, now))
    const removed = changes.filter(([, value]) => value === null).map(([name]) => name)
    const events = changes.map(
      ([name]): AuditEvent =>
        auditEvent('setting.changed', by, now, {
          target: { kind: 'setting', id: name, name },
          details: describeChange(name, this.#effective, effective),
        }),
    )
    await records.save(written, removed, events)
    this.#apply(saved)
    announce()
  }

  /** The settings are read every few seconds: once for each value. */
  #warnUnreadable(setting: string, changedAt: number): void {
    if (this.#unreadable.get(setting) === changedAt) return
    this.#unreadable.set(setting, changedAt)
    this.#options.log.warn('setting_ignored', { setting, reason: 'it is encrypted with another secret key' })
  }

  #started() {
    return { config: this.#options.live.started, origins: this.#options.origins }
  }

  #requireName(text: string): SettingName {
    const name = runTimeNames.find((known) => known === text)
    if (name === undefined) {
      if (settingNames.some((known) => known === text)) throw ApiError.of('setting_needs_restart', { name: text })
      throw ApiError.of('invalid_setting', { reason: `unknown setting '${text}'` }, { param: text })
    }
    const { place } = this.#options.origins[name]
    if (isFixed(this.#options.origins[name])) throw ApiError.of('setting_fixed', { name, place: place ?? '' })
    return name
  }

  /** Of two owners who change a setting at the same time, the second is told instead of undoing what the first did. */
  #requireUnchanged(were: ShownValues): void {
    for (const { name, value } of describeConfig(this.#effective.config)) {
      const was = were[name]
      if (was !== undefined && was !== value)
        throw ApiError.of('changed_meanwhile', { now: value?.slice(0, maxShownChars) ?? '' }, { param: name })
    }
  }

  #record(name: SettingName, value: unknown, changedAt: number): SettingRecord {
    const text = JSON.stringify(value)
    if (!('secret' in settings[name])) return { name, value: text, sealedValue: null, changedAt }
    return {
      ...{ name, value: null, changedAt },
      sealedValue: this.#options.seal.close(Buffer.from(text), sealedContexts.setting(name)),
    }
  }

  #apply(saved: SavedSettings): void {
    const { live, log } = this.#options
    const isSame = JSON.stringify([...saved]) === JSON.stringify([...this.#saved])
    if (isSame) return
    const before = this.#effective.ignored
    this.#saved = saved
    this.#effective = applySaved(this.#started(), saved)
    for (const [name, reason] of this.#effective.ignored)
      if (before.get(name) !== reason) log.warn('setting_ignored', { setting: name, reason })
    live.replace(this.#effective.config)
    for (const listener of this.#listeners) listener()
  }
}

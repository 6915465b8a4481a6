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
  /** Null as a value: what was saved is removed. Throws `invalid_setting`, with the sentence of the loader, and changes nothing. */
  save(by: AuditActor, changes: Readonly<Record<string, unknown>>): Promise<void>
  /** Another node may have changed them. */
  reload(): Promise<void>
  /** Called after every change, here or at another node. */
  onChanged(listener: () => void): void
}

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
  /** Changes one after the other, so that the old value in the audit log is right. */
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

  save(by: AuditActor, changes: Readonly<Record<string, unknown>>): Promise<void> {
    const saving = this.#last.then(() => this.#save(by, changes))
    this.#last = saving.catch(() => {})
    return saving
  }

  async reload(): Promise<void> {
    const { records, seal } = this.#options
    const unreadable: string[] = []
    const saved = readSaved(await records.list(), seal, ({ name, changedAt }) => {
      unreadable.push(name)
      this.#warnUnreadable(name, changedAt)
    })
    for (const name of this.#unreadable.keys()) if (!unreadable.includes(name)) this.#unreadable.delete(name)
    this.#apply(saved)
  }

  onChanged(listener: () => void): void {
    this.#listeners.push(listener)
  }

  async #save(by: AuditActor, wanted: Readonly<Record<string, unknown>>): Promise<void> {
    const { records, clock, announce } = this.#options
    await this.reload()
    const changes = Object.entries(wanted).map(([name, value]) => [this.#requireName(name), value] as const)
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

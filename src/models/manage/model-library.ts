/**
 * What the owner of the server does with models while it runs: what `helix models` does on the command line, and downloads and
 * uploads that the server keeps. Every change is in the audit log, and applies at once.
 */
import { auditEvent } from '../../accounts/audit-event.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { OperatorError } from '../../base/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import { memoryLimitBytes } from '../../engine/memory-limit.ts'
import type { AuditAction } from '../../store/audit-actions.ts'
import type { AuditActor, AuditDetails, AuditRecords } from '../../store/audit-contract.ts'
import type { Models } from '../contract.ts'
import { type HubFile, listHubFiles } from '../hub/list-hub-files.ts'
import { HubFailed } from '../hub/read-hub-json.ts'
import { type HubRepository, searchHub } from '../hub/search-hub.ts'
import { modelNames } from '../model-names.ts'
import { type FreeBytes, readFreeBytes, readModelSpace } from '../pull/disk-space.ts'
import { shownAddress } from '../pull/shown-address.ts'
import { changeModel, type ModelChanges } from './change-model.ts'
import { chooseDefault } from './choose-default.ts'
import { ModelPulls, type PullStatus } from './model-pulls.ts'
import { ModelUploads } from './model-uploads.ts'
import { findRemovable, removeModel } from './remove-model.ts'

type ModelLibraryOptions = {
  config: Config
  models: Pick<Models, 'list' | 'find' | 'reload'>
  audit: Pick<AuditRecords, 'record'>
  clock: Clock
  log: Log
  freeBytes?: FreeBytes
}

export class ModelLibrary {
  readonly #options: ModelLibraryOptions
  readonly #pulls: ModelPulls
  readonly #uploads: ModelUploads

  constructor(options: ModelLibraryOptions) {
    this.#options = options
    this.#pulls = new ModelPulls(options)
    this.#uploads = new ModelUploads(options)
  }

  /** What all models together may use of the memory, and further ones of the disk of the data directory. */
  async capacity(): Promise<{ memoryBytes: number; diskBytes: number }> {
    const { config, freeBytes = readFreeBytes } = this.#options
    const memoryBytes = config.modelMemoryLimitBytes ?? memoryLimitBytes()
    return { memoryBytes, diskBytes: await readModelSpace(config.dataDir, freeBytes) }
  }

  searchHub(text: string): Promise<HubRepository[]> {
    return orApiError(() => searchHub(this.#hub(), text))
  }

  listHubFiles(repository: string): Promise<HubFile[]> {
    return orApiError(() => listHubFiles(this.#hub(), repository))
  }

  async listPulls(): Promise<PullStatus[]> {
    return (await this.#pulls.list()).map(shownPull)
  }

  startPull(by: AuditActor, source: string, name: string | null): Promise<PullStatus> {
    return orApiError(async () => {
      const pull = this.#pulls.start(source, name, (added) => this.#added(by, added, source))
      await this.#record(by, 'model.pull_started', pull.name, { source: shownAddress(pull.from) })
      return shownPull(pull)
    })
  }

  pausePull(by: AuditActor, name: string): Promise<void> {
    return orApiError(async () => {
      await this.#pulls.pause(name)
      await this.#record(by, 'model.pull_paused', name)
    })
  }

  resumePull(by: AuditActor, name: string): Promise<PullStatus> {
    return orApiError(async () => {
      const pull = await this.#pulls.resume(name, (added) => this.#added(by, added))
      await this.#record(by, 'model.pull_resumed', name)
      return shownPull(pull)
    })
  }

  discardPull(by: AuditActor, name: string): Promise<void> {
    return orApiError(async () => {
      const { wasComplete } = await this.#pulls.discard(name)
      if (!wasComplete) await this.#record(by, 'model.pull_discarded', name)
    })
  }

  beginUpload(by: AuditActor, wanted: { name: string; sizeBytes: number }): Promise<string> {
    return orApiError(async () => {
      const id = await this.#uploads.begin(wanted)
      await this.#record(by, 'model.upload_started', wanted.name, { bytes: wanted.sizeBytes })
      return id
    })
  }

  writeUpload(id: string, offset: number, parts: readonly Uint8Array[]): Promise<number> {
    return orApiError(() => this.#uploads.write(id, offset, parts))
  }

  finishUpload(by: AuditActor, id: string): Promise<string> {
    return orApiError(async () => {
      const name = await this.#uploads.finish(id)
      await this.#added(by, name)
      return name
    })
  }

  abortUpload(id: string): Promise<void> {
    return this.#uploads.abort(id)
  }

  /** A model whose context, slots or layers change is loaded again; running answers complete with the old values. */
  change(by: AuditActor, name: string, changes: ModelChanges): Promise<void> {
    return orApiError(async () => {
      this.#requireListed(name)
      await changeModel(this.#options, name, changes)
      await this.#options.models.reload()
      await this.#record(by, 'model.changed', name, readDetails(changes))
    })
  }

  setDefault(by: AuditActor, name: string): Promise<void> {
    return orApiError(async () => {
      const { config, clock, models } = this.#options
      if (models.find(name) === null) throw ApiError.of('model_not_found', { model: name.slice(0, 100) })
      const chosen = await chooseDefault(config, clock, name)
      await models.reload()
      await this.#record(by, 'model.made_default', chosen)
    })
  }

  remove(by: AuditActor, name: string): Promise<void> {
    return orApiError(async () => {
      const { config, clock, models } = this.#options
      this.#requireListed(name)
      const removable = await findRemovable(config, name)
      await removeModel(removable, { config, clock, apply: () => models.reload() })
      // A model that was just pulled has a report, which is about nothing now.
      this.#pulls.forget(name)
      await this.#record(by, 'model.removed', name, { filesDeleted: removable.folder !== null })
    })
  }

  async close(): Promise<void> {
    await this.#pulls.close()
    await this.#uploads.close()
  }

  #hub() {
    const { config, clock } = this.#options
    return { hubUrl: config.modelHubUrl, token: config.modelHubToken, clock }
  }

  #requireListed(name: string): void {
    const pool = this.#options.models.list().find((each) => modelNames(each).includes(name))
    if (pool === undefined || pool.model.id !== name)
      throw ApiError.of('model_not_found', { model: name.slice(0, 100) })
    if (pool.installed?.source !== 'list') throw ApiError.of('model_in_settings', { name })
  }

  async #added(by: AuditActor, name: string, source?: string): Promise<void> {
    await this.#options.models.reload()
    await this.#record(by, 'model.added', name, source === undefined ? {} : { source: shownAddress(source) })
  }

  #record(by: AuditActor, action: AuditAction, name: string, details: AuditDetails = {}): Promise<void> {
    const { audit, clock } = this.#options
    return audit.record(auditEvent(action, by, clock.now(), { target: { kind: 'model', id: null, name }, details }))
  }
}

const shownPull = (pull: PullStatus): PullStatus => ({ ...pull, from: shownAddress(pull.from) })

const readDetails = ({ aliases, contextTokens, slots, gpuLayers }: ModelChanges): AuditDetails => ({
  ...(aliases === undefined ? {} : { aliases: aliases.join(', ') }),
  ...(contextTokens === undefined ? {} : { contextTokens }),
  ...(slots === undefined ? {} : { slots }),
  ...(gpuLayers === undefined ? {} : { gpuLayers }),
})

/** What the owner can correct is an answer, not a fault of the server. */
const orApiError = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    const reason = `${error.message.replace(/\.$/, '').replace(' with --name', '')}.`
    // With a cause it would be in the log as a failure of the server, among the latest problems on the overview.
    if (!(error instanceof HubFailed)) throw ApiError.of('invalid_model', { reason })
    throw ApiError.of('model_hub_failed', { reason }, { cause: error })
  }
}

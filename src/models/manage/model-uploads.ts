/**
 * GGUF files that a browser sends in parts. Nothing of an upload is a model before it is complete and checked, and one that is
 * given up leaves nothing.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../../base/caught-error.ts'
import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import { inspectWeights } from '../../engine/inspect-weights.ts'
import { memoryLimitBytes } from '../../engine/memory-limit.ts'
import { requireModelName, withModel } from '../edit-model-list.ts'
import { changeModelList, type ModelList, modelsFolder, readModelList } from '../model-list-file.ts'
import { readModelRows } from '../model-rows.ts'
import { checkSpace, type FreeBytes, readFreeBytes } from '../pull/disk-space.ts'
import { lockPull } from '../pull/pull-lock.ts'
import { takenNames } from '../taken-names.ts'

type Upload = { name: string; path: string; sizeBytes: number; receivedBytes: number; isBusy: boolean; cancel(): void }
type ModelUploadsOptions = { config: Config; clock: Clock; freeBytes?: FreeBytes }

const maxUploads = 2
/** The sentence about another node repeats it. */
const maxIdChars = 150
/** A browser that sends nothing for this long is gone. Not a round time, so that tests can tell this timer. */
const silenceLimitMs = 123_000

export class ModelUploads {
  readonly #options: ModelUploadsOptions
  readonly #uploads = new Map<string, Upload>()
  /** What a process that was killed has left. */
  #cleaned: Promise<void> | null = null

  constructor(options: ModelUploadsOptions) {
    this.#options = options
  }

  /** Resolves to its id, which names the node: parts are written to its disk, and the next may arrive at another one. */
  async begin(wanted: { name: string; sizeBytes: number }): Promise<string> {
    const { config, freeBytes = readFreeBytes } = this.#options
    const name = requireModelName(wanted.name)
    const { sizeBytes } = wanted
    withModel(await readModelList(config.dataDir), { ...unlisted, name, path: name }, await this.#taken())
    requireNoPull(this.#modelFolder(name), name)
    if (sizeBytes > memoryLimitBytes())
      throw new OperatorError(`The file has ${Math.round(sizeBytes / 1e9)} GB, more than the memory of this machine`)
    const folder = this.#folder()
    this.#cleaned ??= rm(folder, { recursive: true, force: true })
    await this.#cleaned
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const promised = [...this.#uploads.values()].reduce((sum, each) => sum + each.sizeBytes - each.receivedBytes, 0)
    await checkSpace(folder, sizeBytes + promised, freeBytes)
    const id = `${randomUUID()}@${this.#node()}`
    const upload = {
      name,
      path: join(folder, `${randomUUID()}.gguf`),
      sizeBytes,
      receivedBytes: 0,
      isBusy: false,
      cancel() {},
    }
    // No await between the check and the entry, so that of two at once only one passes.
    this.#requireFree(name)
    this.#uploads.set(id, upload)
    try {
      await (await open(upload.path, 'wx', 0o600)).close()
    } catch (error) {
      this.#uploads.delete(id)
      throw error
    }
    this.#wait(id, upload)
    return id
  }

  /** Parts come in order; one that was written already is not written again, because its answer may have been lost. */
  async write(id: string, offset: number, parts: readonly Uint8Array[]): Promise<number> {
    const upload = this.#find(id)
    const bytes = parts.reduce((sum, { length }) => sum + length, 0)
    if (offset + bytes === upload.receivedBytes) return upload.receivedBytes
    if (upload.isBusy || offset !== upload.receivedBytes || offset + bytes > upload.sizeBytes)
      throw new OperatorError(
        `The upload has ${upload.receivedBytes} of ${upload.sizeBytes} bytes; the next part must follow`,
      )
    upload.isBusy = true
    upload.cancel()
    try {
      if (offset === 0) requireGguf(parts)
      const file = await open(upload.path, 'r+')
      try {
        for (const part of parts) {
          await writeAll(file, part, upload.receivedBytes)
          upload.receivedBytes += part.length
        }
      } finally {
        await file.close()
      }
    } catch (error) {
      await this.abort(id)
      const code = errorCode(error)
      throw code === '' ? error : new OperatorError(`The file cannot be written (${code})`)
    } finally {
      upload.isBusy = false
    }
    this.#wait(id, upload)
    return upload.receivedBytes
  }

  /** Checks the file and adds it to the list. Resolves to the name of the model. */
  async finish(id: string): Promise<string> {
    const upload = this.#find(id)
    const { name, path, sizeBytes, receivedBytes } = upload
    if (upload.isBusy || receivedBytes !== sizeBytes)
      throw new OperatorError(`The upload has ${receivedBytes} of ${sizeBytes} bytes: send the rest first`)
    upload.isBusy = true
    upload.cancel()
    try {
      await inspectWeights([path]).catch((error: unknown) => {
        throw error instanceof OperatorError ? new OperatorError(error.message.replaceAll(path, 'The file')) : error
      })
      await this.#install(name, path)
      return name
    } finally {
      await this.abort(id)
    }
  }

  /** Puts the file in its place under the lock of downloads, so that neither replaces a file of the other. */
  async #install(name: string, path: string): Promise<void> {
    const { config, clock } = this.#options
    const folder = this.#modelFolder(name)
    const target = join(folder, `${name}.gguf`)
    const taken = await this.#taken()
    const add = (list: ModelList): ModelList => withModel(list, { ...unlisted, name, path: target }, taken)
    add(await readModelList(config.dataDir))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const lock = await lockPull(folder, clock)
    if (lock === null) throw new OperatorError(`${name} is being downloaded at the moment`)
    try {
      // Again: a download may have ended before the lock was taken.
      add(await readModelList(config.dataDir))
      requireNoPull(folder, name)
      await sync(path, 'r+')
      await rename(path, target)
      await sync(folder, 'r')
      await changeModelList(config.dataDir, clock, add).catch(async (error) => {
        await rm(target, { force: true })
        throw error
      })
    } finally {
      lock.release()
    }
  }

  async abort(id: string): Promise<void> {
    const upload = this.#uploads.get(id)
    this.#uploads.delete(id)
    upload?.cancel()
    if (upload !== undefined) await rm(upload.path, { force: true })
  }

  async close(): Promise<void> {
    for (const id of [...this.#uploads.keys()]) await this.abort(id)
  }

  #folder(): string {
    return join(modelsFolder(this.#options.config.dataDir), '.uploads')
  }

  #modelFolder(name: string): string {
    return join(modelsFolder(this.#options.config.dataDir), name)
  }

  #requireFree(name: string): void {
    const uploads = [...this.#uploads.values()]
    if (uploads.some((each) => each.name.toLowerCase() === name.toLowerCase()))
      throw new OperatorError(`${name} is being uploaded already`)
    if (uploads.length >= maxUploads) throw new OperatorError('Two files are being uploaded already: try again later')
  }

  async #taken(): Promise<string[]> {
    return takenNames((await readModelRows(this.#options.config)).rows)
  }

  #find(id: string): Upload {
    const upload = this.#uploads.get(id)
    if (upload !== undefined) return upload
    const [, node = this.#node()] = id.slice(0, maxIdChars).split(/@(.*)/s)
    if (node === this.#node()) throw new OperatorError('This upload was given up: start again')
    throw new OperatorError(
      `This upload is at the node ${node}, but this part of it arrived at ${this.#node()}: open the console at the address of one node, past the load balancer, and start again`,
    )
  }

  #node(): string {
    return this.#options.config.nodeName ?? hostname()
  }

  #wait(id: string, upload: Upload): void {
    upload.cancel = this.#options.clock.after(silenceLimitMs, () => void this.abort(id).catch(() => {}))
  }
}

/** Its files are deleted with it, because they were brought by it. */
const unlisted = { aliases: [], contextTokens: null, pulledFrom: 'upload' }

/** Of a name that is not in the list: the download is under way, or was interrupted and can be continued. */
const requireNoPull = (folder: string, name: string): void => {
  if (existsSync(join(folder, 'pull.json')))
    throw new OperatorError(`There is a download of ${name}: complete or discard it first, or choose another name`)
}

/** The list must not name files that a power failure can take away. */
const sync = async (path: string, flags: 'r' | 'r+'): Promise<void> => {
  const handle = await open(path, flags)
  await handle.sync().finally(() => handle.close())
}

const requireGguf = ([first]: readonly Uint8Array[]): void => {
  if (first === undefined || Buffer.from(first.subarray(0, 4)).toString('latin1') !== 'GGUF')
    throw new OperatorError('The file is not a GGUF file')
}

/** A full disk can accept a part of the bytes. */
const writeAll = async (file: Awaited<ReturnType<typeof open>>, part: Uint8Array, position: number): Promise<void> => {
  for (let written = 0; written < part.length; ) {
    const { bytesWritten } = await file.write(part, written, part.length - written, position + written)
    if (bytesWritten === 0) throw new OperatorError('The disk is full')
    written += bytesWritten
  }
}

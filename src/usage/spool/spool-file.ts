import { type FileHandle, open } from 'node:fs/promises'

/** About fifty thousand requests. */
const maxBytes = 64 * 1024 * 1024

type FileState =
  /** It ends with a line that was acknowledged, or is empty. */
  | 'whole'
  /** A write was begun: part of a line may follow what was acknowledged. */
  | 'torn'

/** Lines that must survive the process, on the local disk. Calls take effect in their order. */
export class SpoolFile {
  readonly #handle: FileHandle
  #state: FileState
  /** With those that are being appended. */
  #bytes: number
  /** What was acknowledged. */
  #durableBytes: number
  #last: Promise<void> = Promise.resolve()

  constructor(handle: FileHandle, bytes: number, durableBytes: number) {
    this.#handle = handle
    this.#bytes = bytes
    this.#durableBytes = durableBytes
    this.#state = durableBytes < bytes ? 'torn' : 'whole'
  }

  /** Nothing more should be appended that can be refused instead. */
  get isFull(): boolean {
    return this.#bytes >= maxBytes
  }

  /** Resolves once they are on disk. */
  append(lines: readonly string[]): Promise<void> {
    const added = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    this.#bytes += added.length
    return this.#inTurn(async () => {
      try {
        await this.#write(added)
      } catch (error) {
        this.#bytes -= added.length
        throw error
      }
    })
  }

  /** Removes all lines, unless one is needed when it is this call's turn. */
  clear(isNeeded: () => boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (isNeeded() || this.#bytes === 0) return
      await this.#handle.truncate(0)
      await this.#handle.datasync()
      this.#bytes = 0
      this.#durableBytes = 0
      this.#state = 'whole'
    })
  }

  async close(): Promise<void> {
    await this.#last
    await this.#handle.close()
  }

  async #write(added: Buffer): Promise<void> {
    // A full disk may have accepted part of a line, and the next one would be appended to it and lost.
    if (this.#state === 'torn') await this.#handle.truncate(this.#durableBytes)
    this.#state = 'torn'
    await this.#handle.appendFile(added)
    await this.#handle.datasync()
    this.#state = 'whole'
    this.#durableBytes += added.length
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#last.then(act)
    this.#last = done.catch(() => {})
    return done
  }
}

/** Also returns the lines that an earlier process left. A last line without an end was never acknowledged. */
export const openSpoolFile = async (path: string): Promise<{ file: SpoolFile; left: string[] }> => {
  const handle = await open(path, 'a+', 0o600)
  const text = await readAll(handle)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const file = new SpoolFile(handle, Buffer.byteLength(text), Buffer.byteLength(whole))
  return { file, left: whole.split('\n').filter((line) => line !== '') }
}

const readAll = async (handle: FileHandle): Promise<string> => {
  const { size } = await handle.stat()
  const bytes = Buffer.alloc(size)
  const { bytesRead } = await handle.read(bytes, 0, size, 0)
  return bytes.toString('utf8', 0, bytesRead)
}

import { type FileHandle, open } from 'node:fs/promises'

/** Lines that must survive the process, on the local disk. Calls take effect in their order. */
export interface SpoolFile {
  /** Nothing more should be appended that can be refused instead. */
  readonly isFull: boolean
  /** Resolves once they are on disk. */
  append(lines: readonly string[]): Promise<void>
  /** Removes all lines, unless one is needed when it is this call's turn. */
  clear(isNeeded: () => boolean): Promise<void>
  close(): Promise<void>
}

/** About fifty thousand requests. */
const maxBytes = 64 * 1024 * 1024

/** Also returns the lines that an earlier process left. A last line without an end was never acknowledged. */
export const openSpoolFile = async (path: string): Promise<{ file: SpoolFile; left: string[] }> => {
  const handle = await open(path, 'a+', 0o600)
  const text = await readAll(handle)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  let bytes = Buffer.byteLength(text)
  /** What was acknowledged. */
  let durableBytes = Buffer.byteLength(whole)
  let isTorn = durableBytes < bytes
  let last: Promise<void> = Promise.resolve()
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const done = last.then(act)
    last = done.catch(() => {})
    return done
  }
  const file: SpoolFile = {
    get isFull() {
      return bytes >= maxBytes
    },
    append(lines) {
      const added = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      bytes += added.length
      return inTurn(async () => {
        try {
          // A full disk may have accepted part of a line, and the next one would be appended to it and lost.
          if (isTorn) await handle.truncate(durableBytes)
          isTorn = true
          await handle.appendFile(added)
          await handle.datasync()
          isTorn = false
          durableBytes += added.length
        } catch (error) {
          bytes -= added.length
          throw error
        }
      })
    },
    clear: (isNeeded) =>
      inTurn(async () => {
        if (isNeeded() || bytes === 0) return
        await handle.truncate(0)
        await handle.datasync()
        bytes = 0
        durableBytes = 0
        isTorn = false
      }),
    async close() {
      await last
      await handle.close()
    },
  }
  return { file, left: whole.split('\n').filter((line) => line !== '') }
}

const readAll = async (handle: FileHandle): Promise<string> => {
  const { size } = await handle.stat()
  const bytes = Buffer.alloc(size)
  const { bytesRead } = await handle.read(bytes, 0, size, 0)
  return bytes.toString('utf8', 0, bytesRead)
}

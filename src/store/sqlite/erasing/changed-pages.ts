import { closeSync, openSync, readSync } from 'node:fs'
import { isTreePage } from './unused-space.ts'

/** The pages that were changed since they were last taken, read from the write-ahead log (WAL). */
export interface ChangedPages {
  /** Call it after every commit: SQLite may write over the log once it has been copied into the database file. */
  note(): void
  readonly numbers: ReadonlySet<number>
  /** Call it when the log has been emptied. */
  take(): Set<number>
  close(): void
}

const logHeaderBytes = 32
const frameHeaderBytes = 24

/** Only pages of B-trees: others have no unused parts. */
export const openChangedPages = (file: string, pageBytes: number): ChangedPages => {
  let descriptor: number | undefined
  let numbers = new Set<number>()
  let generation = 0n
  let position = logHeaderBytes
  const header = Buffer.alloc(logHeaderBytes)
  /** Of a frame, and the first byte of its page. */
  const frame = Buffer.alloc(frameHeaderBytes + 1)

  const read = (buffer: Buffer, at: number): boolean => {
    descriptor ??= openSync(`${file}-wal`, 'r')
    return readSync(descriptor, buffer, 0, buffer.length, at) === buffer.length
  }
  return {
    note() {
      if (!read(header, 0)) return
      // Two numbers that change when SQLite begins to write over the log. Every frame has those of its time.
      const current = header.readBigUInt64BE(16)
      if (current !== generation) position = logHeaderBytes
      generation = current
      for (let at = position; read(frame, at) && frame.readBigUInt64BE(8) === current; ) {
        const number = frame.readUInt32BE(0)
        if (isTreePage(number, frame.readUInt8(frameHeaderBytes))) numbers.add(number)
        at += frameHeaderBytes + pageBytes
        // The last frame of a transaction: what follows may be of one that was rolled back, and is written over by the next.
        if (frame.readUInt32BE(4) !== 0) position = at
      }
    },
    get numbers() {
      return numbers
    },
    take() {
      const taken = numbers
      numbers = new Set()
      return taken
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

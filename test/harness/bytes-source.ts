import type { ByteSource } from '../../src/gguf/byte-reader.ts'

type CountedSource = ByteSource & { reads: number; bytesRead: number }

/** A file in memory that counts how it is read. */
export const bytesSource = (bytes: Buffer): CountedSource => {
  const source: CountedSource = {
    sizeBytes: bytes.length,
    reads: 0,
    bytesRead: 0,
    async read(target, position) {
      const copied = bytes.copy(target, 0, Math.min(position, bytes.length))
      source.reads += 1
      source.bytesRead += copied
      return copied
    },
  }
  return source
}

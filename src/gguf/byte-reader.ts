import { GgufRefused } from './gguf-refused.ts'

/** A file, or bytes in memory. `read` may return fewer bytes than `target` has space for; 0 at the end. */
export type ByteSource = { readonly sizeBytes: number; read(target: Uint8Array, position: number): Promise<number> }

export const chunkBytes = 256 * 1024
/** The metadata of real models takes up to 20 MB, nearly all of it vocabulary. */
const metadataLimitBytes = 256 * 2 ** 20

export type ByteReader = {
  /** From the start of the file. */
  position(): number
  /** True if the next `bytes` are in memory. */
  has(bytes: number): boolean
  /** Reads until the next `bytes` are in memory; at most `chunkBytes`. */
  fill(bytes: number): Promise<void>
  /** Moves on without reading. */
  skip(bytes: number): void
  /** The following require bytes in memory. */
  takeByte(): number
  takeSigned(): number
  takeUint32(): number
  takeUint64(): number
  takeInt(bytes: 2 | 4 | 8, isSigned: boolean): number
  takeFloat(bytes: 4 | 8): number
  takeText(bytes: number): string
}

/** Reads forward in chunks of a fixed size, never beyond the end of the file or the limit for metadata. */
export const createByteReader = (source: ByteSource): ByteReader => {
  const chunk = Buffer.alloc(Math.min(chunkBytes, source.sizeBytes))
  let chunkStart = 0
  let filled = 0
  let offset = 0

  const check = (bytes: number): void => {
    const end = chunkStart + offset + bytes
    if (end > source.sizeBytes) throw new GgufRefused(truncated(source.sizeBytes))
    if (end > metadataLimitBytes)
      throw new GgufRefused(`has more than ${metadataLimitBytes / 2 ** 20} MiB of metadata, which no model needs`)
  }
  const advance = (bytes: number): number => {
    const from = offset
    offset += bytes
    return from
  }
  const takeUint64 = (): number => {
    const from = advance(8)
    const value = chunk.readUInt32LE(from + 4) * 2 ** 32 + chunk.readUInt32LE(from)
    if (value <= Number.MAX_SAFE_INTEGER) return value
    throw new GgufRefused('is damaged: it contains an impossible length')
  }
  return {
    position: () => chunkStart + offset,
    has: (bytes) => filled - offset >= bytes,
    async fill(bytes) {
      check(bytes)
      if (filled - offset >= bytes) return
      const kept = Math.max(0, filled - offset)
      chunk.copy(chunk, 0, filled - kept, filled)
      chunkStart += offset
      filled = kept
      offset = 0
      while (filled < bytes) {
        const read = await source.read(chunk.subarray(filled), chunkStart + filled)
        if (read === 0) throw new GgufRefused(truncated(chunkStart + filled))
        filled += read
      }
    },
    skip(bytes) {
      check(bytes)
      offset += bytes
    },
    takeByte: () => chunk.readUInt8(advance(1)),
    takeSigned: () => chunk.readInt8(advance(1)),
    takeUint32: () => chunk.readUInt32LE(advance(4)),
    takeUint64,
    takeInt(bytes, isSigned) {
      const from = advance(bytes)
      if (bytes === 8) return Number(isSigned ? chunk.readBigInt64LE(from) : chunk.readBigUInt64LE(from))
      return isSigned ? chunk.readIntLE(from, bytes) : chunk.readUIntLE(from, bytes)
    },
    takeFloat(bytes) {
      const from = advance(bytes)
      return bytes === 4 ? chunk.readFloatLE(from) : chunk.readDoubleLE(from)
    },
    takeText(bytes) {
      const from = advance(bytes)
      return chunk.toString('utf8', from, from + bytes)
    },
  }
}

const truncated = (bytes: number): string => `is truncated: it ends after ${bytes} bytes, within its metadata`

/**
 * Reads the metadata and the tensor table of a GGUF file without trusting it: every count, length and offset is checked
 * before it is used, and memory and reads are bounded whatever the file says. Imports nothing but this folder.
 */
import { open } from 'node:fs/promises'
import { type ByteReader, type ByteSource, createByteReader } from './byte-reader.ts'
import { GgufRefused, quoted } from './gguf-refused.ts'
import { readShortText } from './read-short-text.ts'
import { readTensors, type TensorSummary } from './read-tensors.ts'

/** Long texts are not kept, and of lists only the length. */
export type GgufValue = number | boolean | string | { longText: number } | { list: number }
export type GgufFile = {
  sizeBytes: number
  metadata: ReadonlyMap<string, GgufValue>
  /** Where each key and its value are. */
  entries: ReadonlyMap<string, ByteRange>
  tensors: TensorSummary
}
/** Bytes of a file, from the first up to the one after the last. */
type ByteRange = { start: number; end: number }

export const magic = 0x46554747
export const newestVersion = 3
/** Real models have up to a hundred keys. */
const keyLimit = 16_384
const keyLimitBytes = 1024
const keptTextBytes = 4096
const listLimit = 2 ** 26
const defaultAlignment = 32

export const readGguf = async (path: string): Promise<GgufFile> => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const read: ByteSource['read'] = async (target, position) =>
      (await file.read(target, 0, target.length, position)).bytesRead
    return await readGgufSource({ sizeBytes: size, read })
  } finally {
    await file.close()
  }
}

export const readGgufSource = async (source: ByteSource): Promise<GgufFile> => {
  const reader = createByteReader(source)
  const { tensorCount, keyCount } = await readHeader(reader, source.sizeBytes)
  const metadata = new Map<string, GgufValue>()
  const entries = new Map<string, ByteRange>()
  for (let index = 0; index < keyCount; index += 1) {
    const start = reader.position()
    const key = await readShortText(reader, keyLimitBytes, 'a key')
    if (key === '') throw new GgufRefused('is damaged: a key of its metadata is empty')
    if (metadata.has(key)) throw new GgufRefused(`is damaged: the key ${quoted(key)} appears twice`)
    metadata.set(key, await readValue(reader, key))
    entries.set(key, { start, end: reader.position() })
  }
  const alignment = readAlignment(metadata)
  return {
    sizeBytes: source.sizeBytes,
    metadata,
    entries,
    tensors: await readTensors(reader, { count: tensorCount, alignment, sizeBytes: source.sizeBytes }),
  }
}

const readHeader = async (reader: ByteReader, sizeBytes: number) => {
  if (sizeBytes === 0) throw new GgufRefused('is empty')
  if (sizeBytes < 4) throw new GgufRefused('is not a GGUF file')
  await reader.fill(4)
  if (reader.takeUint32() !== magic) throw new GgufRefused('is not a GGUF file')
  await reader.fill(20)
  const version = reader.takeUint32()
  if ((version & 0xffff) === 0 && version !== 0) throw new GgufRefused('is a GGUF file for big-endian machines')
  if (version < 2 || version > newestVersion)
    throw new GgufRefused(`is a GGUF file of version ${version}; versions 2 and ${newestVersion} are supported`)
  const [tensorCount, keyCount] = [reader.takeUint64(), reader.takeUint64()]
  if (keyCount > keyLimit) throw new GgufRefused(`is damaged: it claims to have ${keyCount} metadata keys`)
  return { tensorCount, keyCount }
}

const textType = 8
const listType = 9
/** Bytes of a value, by the number of its type. */
const scalarBytes = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]

const readValue = async (reader: ByteReader, key: string): Promise<GgufValue> => {
  await reader.fill(4)
  const type = reader.takeUint32()
  if (type === textType) return readTextValue(reader)
  if (type === listType) return readList(reader, key)
  await reader.fill(bytesOfType(type, key))
  return takeScalar(reader, type)
}

const bytesOfType = (type: number, key: string): number => {
  const bytes = scalarBytes[type]
  if (bytes === undefined || bytes === 0)
    throw new GgufRefused(`is damaged: ${quoted(key)} has the unknown type ${type}`)
  return bytes
}

const takeScalar = (reader: ByteReader, type: number): number | boolean => {
  if (type === 0) return reader.takeByte()
  if (type === 1) return reader.takeSigned()
  if (type === 7) return reader.takeByte() !== 0
  if (type === 6) return reader.takeFloat(4)
  if (type === 12) return reader.takeFloat(8)
  const isSigned = type === 3 || type === 5 || type === 11
  return reader.takeInt(type === 2 || type === 3 ? 2 : type >= 10 ? 8 : 4, isSigned)
}

const readTextValue = async (reader: ByteReader): Promise<GgufValue> => {
  await reader.fill(8)
  const length = reader.takeUint64()
  if (length > keptTextBytes) {
    reader.skip(length)
    return { longText: length }
  }
  await reader.fill(length)
  return reader.takeText(length)
}

/** Lists cannot contain lists. Each text takes at least 8 bytes of the file, which bounds the loop. */
const readList = async (reader: ByteReader, key: string): Promise<GgufValue> => {
  await reader.fill(12)
  const type = reader.takeUint32()
  const length = reader.takeUint64()
  if (length > listLimit) throw new GgufRefused(`is damaged: the list ${quoted(key)} claims to have ${length} items`)
  if (type !== textType) reader.skip(length * bytesOfType(type, key))
  else
    for (let item = 0; item < length; item += 1) {
      if (!reader.has(8)) await reader.fill(8)
      reader.skip(reader.takeUint64())
    }
  return { list: length }
}

export const readAlignment = (metadata: ReadonlyMap<string, GgufValue>): number => {
  const value = metadata.get('general.alignment') ?? defaultAlignment
  const isPowerOfTwo = typeof value === 'number' && Number.isInteger(value) && value > 0 && Math.log2(value) % 1 === 0
  if (isPowerOfTwo && value <= 2 ** 20) return value
  throw new GgufRefused('is damaged: general.alignment is not a power of two')
}

/**
 * Copies the weights of an encoder without what belongs to its vocabulary: the lists of the tokenizer, and all rows but the
 * first of the table that has a vector for each token. Says where this table is in the original file.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { type GgufFile, magic, newestVersion, readAlignment } from './read-gguf.ts'
import { padded, type Tensor } from './read-tensors.ts'

export type TokenTable = {
  /** Of the table's first byte in the file. */
  position: number
  rowBytes: number
  rows: number
  /** Numbers of a row. */
  width: number
  /** As the format numbers the types of tensors. */
  typeNumber: number
}

const tableName = 'token_embd.weight'
/** This one belongs to the network, not to the tokenizer. */
const keptTokeniserKey = 'tokenizer.ggml.token_type_count'
const copyBytes = 2 ** 20
const [uint32Type, textType] = [4, 8]

/** Where the table is; null if the file has none of the usual form. */
export const findTokenTable = ({ tensors }: Pick<GgufFile, 'tensors'>): TokenTable | null => {
  const table = tensors.list.find(({ name }) => name === tableName)
  const [width = 0, rows = 0] = table?.shape ?? []
  if (table === undefined || table.shape.length !== 2 || width === 0 || rows === 0) return null
  const { bytes, offset, typeNumber } = table
  return { position: tensors.dataStart + offset, rowBytes: bytes / rows, rows, width, typeNumber }
}

export const writeWithoutVocabulary = async (
  { from, to }: { from: string; to: string },
  { metadata, entries, tensors }: GgufFile,
): Promise<void> => {
  const vocabularyKey = `${metadata.get('general.architecture')}.vocab_size`
  const isKept = (key: string) =>
    key === keptTokeniserKey || (key !== vocabularyKey && !key.startsWith('tokenizer.') && !key.startsWith('split.'))
  const kept = [...entries].filter(([key]) => isKept(key)).map(([, range]) => range)
  const added = [
    ...[text('tokenizer.ggml.model'), uint32(textType), text('no_vocab')],
    ...[text(vocabularyKey), uint32(uint32Type), uint32(1)],
  ]
  const alignment = readAlignment(metadata)
  const placed = placeTensors(tensors.list, alignment)
  const [source, target] = [await open(from), await open(to, 'wx', 0o600)]
  try {
    await target.write(
      Buffer.concat([uint32(magic), uint32(newestVersion), uint64(placed.length), uint64(kept.length + 2)]),
    )
    for (const { start, end } of kept) await copy(source, target, start, end - start)
    await target.write(Buffer.concat([...added, ...placed.map(tensorInfo)]))
    await fill(target, alignment)
    for (const { tensor, bytes } of placed) {
      await copy(source, target, tensors.dataStart + tensor.offset, bytes)
      await fill(target, alignment)
    }
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

type Placed = { tensor: Tensor; shape: readonly number[]; offset: number; bytes: number }

const placeTensors = (list: readonly Tensor[], alignment: number): Placed[] => {
  let offset = 0
  return list.map((tensor) => {
    const [width = 1, rows = 1] = tensor.shape
    const isTable = tensor.name === tableName
    const bytes = isTable ? tensor.bytes / rows : tensor.bytes
    const placed = { tensor, shape: isTable ? [width, 1] : tensor.shape, offset, bytes }
    offset = padded(offset + bytes, alignment)
    return placed
  })
}

const tensorInfo = ({ tensor, shape, offset }: Placed): Buffer =>
  Buffer.concat([
    text(tensor.name),
    uint32(shape.length),
    ...shape.map(uint64),
    uint32(tensor.typeNumber),
    uint64(offset),
  ])

const copy = async (from: FileHandle, to: FileHandle, start: number, bytes: number): Promise<void> => {
  const chunk = Buffer.alloc(Math.min(copyBytes, bytes))
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await from.read(chunk, 0, Math.min(chunk.length, bytes - done), start + done)
    if (bytesRead === 0) throw new Error('the file has become shorter')
    await to.write(chunk, 0, bytesRead)
    done += bytesRead
  }
}

/** Zeros up to the next place where a tensor may begin. */
const fill = async (target: FileHandle, alignment: number): Promise<void> => {
  const { size } = await target.stat()
  await target.write(Buffer.alloc(padded(size, alignment) - size))
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
const text = (value: string): Buffer => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)])

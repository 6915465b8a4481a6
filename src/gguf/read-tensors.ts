import type { ByteReader } from './byte-reader.ts'
import { GgufRefused, quoted } from './gguf-refused.ts'
import { readShortText } from './read-short-text.ts'
import { type TensorType, tensorTypes } from './tensor-types.ts'

export type TensorSummary = {
  count: number
  /** Numbers in all tensors: the parameters of the model. */
  elements: number
  /** The type of most of them; null if there are no tensors. */
  mainType: string | null
  /** Every one, in the order of the file. */
  list: readonly Tensor[]
  /** Where the numbers of the first one begin. */
  dataStart: number
}
type TensorOptions = { count: number; alignment: number; sizeBytes: number }
export type Tensor = {
  name: string
  /** The length of a row first. */
  shape: readonly number[]
  elements: number
  type: TensorType
  typeNumber: number
  /** From `dataStart`. */
  offset: number
  bytes: number
}

/** Real models have up to 50,000, mixtures of experts with separate tensors for each. */
const countLimit = 2 ** 17
/** Those of llama.cpp. */
const nameLimitBytes = 63
const dimensionLimit = 4

/** Checks that each tensor is where the format says it must be and that the file contains all of it. */
export const readTensors = async (
  reader: ByteReader,
  { count, alignment, sizeBytes }: TensorOptions,
): Promise<TensorSummary> => {
  if (count > countLimit) throw new GgufRefused(`is damaged: it claims to have ${count} tensors`)
  const names = new Set<string>()
  const list: Tensor[] = []
  const elementsByType = new Map<string, number>()
  let [elements, end, nextOffset] = [0, 0, 0]
  for (let index = 0; index < count; index += 1) {
    const tensor = await readTensor(reader)
    if (names.has(tensor.name)) throw new GgufRefused(`is damaged: the tensor ${quoted(tensor.name)} appears twice`)
    names.add(tensor.name)
    list.push(tensor)
    if (tensor.offset !== nextOffset)
      throw new GgufRefused(`is damaged: the tensor ${quoted(tensor.name)} is not in its place`)
    end = tensor.offset + tensor.bytes
    nextOffset = padded(end, alignment)
    elements += tensor.elements
    const { name } = tensor.type
    elementsByType.set(name, (elementsByType.get(name) ?? 0) + tensor.elements)
    if (end > Number.MAX_SAFE_INTEGER || elements > Number.MAX_SAFE_INTEGER)
      throw new GgufRefused('is damaged: its tensors are larger than any file')
  }
  const dataStart = padded(reader.position(), alignment)
  const neededBytes = dataStart + end
  if (count > 0 && sizeBytes < neededBytes)
    throw new GgufRefused(`is truncated: it has ${sizeBytes} bytes, but its tensors need ${neededBytes}`)
  const [main] = [...elementsByType].sort(([, one], [, other]) => other - one)
  return { count, elements, mainType: main?.[0] ?? null, list, dataStart }
}

const readTensor = async (reader: ByteReader): Promise<Tensor> => {
  const name = await readShortText(reader, nameLimitBytes, 'the name of a tensor')
  await reader.fill(4)
  const dimensions = reader.takeUint32()
  if (dimensions > dimensionLimit)
    throw new GgufRefused(`is damaged: the tensor ${quoted(name)} has ${dimensions} dimensions`)
  await reader.fill(dimensions * 8 + 12)
  const shape = Array.from({ length: dimensions }, () => reader.takeUint64())
  const elements = shape.reduce((product, length) => product * length, 1)
  const [row = 1] = shape
  const typeNumber = reader.takeUint32()
  const offset = reader.takeUint64()
  const type = tensorTypes.get(typeNumber)
  if (type === undefined)
    throw new GgufRefused(`has a tensor (${quoted(name)}) of type ${typeNumber}, which is not supported`)
  if (row % type.blockElements !== 0 || !Number.isSafeInteger(elements))
    throw new GgufRefused(`is damaged: the shape of the tensor ${quoted(name)} is impossible`)
  const bytes = (elements / type.blockElements) * type.blockBytes
  return { name, shape, elements, type, typeNumber, offset, bytes }
}

export const padded = (bytes: number, alignment: number): number => Math.ceil(bytes / alignment) * alignment

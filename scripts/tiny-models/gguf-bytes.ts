/** A value of a GGUF header, with the type it is stored as. */
type GgufValue =
  | { type: 'u32' | 'f32'; value: number }
  | { type: 'bool'; value: boolean }
  | { type: 'text'; value: string }
  | { type: 'texts'; value: readonly string[] }
  | { type: 'ints'; value: readonly number[] }
  | { type: 'floats'; value: readonly number[] }
/** `shape` lists the row length first, as GGUF does. */
export type GgufTensor = {
  name: string
  shape: readonly number[]
  values: Float32Array
  /** Stored in 8 bits, with a scale for each 32 numbers; otherwise as 32-bit floats. */
  isQuantised?: boolean
}
export type GgufContents = { metadata: Readonly<Record<string, GgufValue>>; tensors: readonly GgufTensor[] }

const version = 3
const alignment = 32
/** Numbers of GGUF's value types. */
const typeCodes = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, array: 9 } as const
const [f32Tensor, q8Tensor] = [0, 8]
const q8Block = 32

export const u32 = (value: number): GgufValue => ({ type: 'u32', value })
export const f32 = (value: number): GgufValue => ({ type: 'f32', value })
export const bool = (value: boolean): GgufValue => ({ type: 'bool', value })
export const text = (value: string): GgufValue => ({ type: 'text', value })
export const texts = (value: readonly string[]): GgufValue => ({ type: 'texts', value })
export const ints = (value: readonly number[]): GgufValue => ({ type: 'ints', value })
export const floats = (value: readonly number[]): GgufValue => ({ type: 'floats', value })

/** A GGUF file. The same contents give the same bytes. */
export const ggufBytes = ({ metadata, tensors }: GgufContents): Buffer => {
  const entries = Object.entries(metadata).flatMap(([key, value]) => [string(key), ...encoded(value)])
  const infos: Buffer[] = []
  const data: Buffer[] = []
  let offset = 0
  for (const { name, shape, values, isQuantised = false } of tensors) {
    const type = isQuantised ? q8Tensor : f32Tensor
    infos.push(string(name), int32(shape.length), ...shape.map(int64), int32(type), int64(offset))
    const bytes = padded(isQuantised ? q8Blocks(values) : float32s(values), offset)
    data.push(bytes)
    offset += bytes.length
  }
  const counts = [int32(version), int64(tensors.length), int64(Object.keys(metadata).length)]
  const header = Buffer.concat([Buffer.from('GGUF'), ...counts, ...entries, ...infos])
  return Buffer.concat([padded(header, 0), ...data])
}

const encoded = (entry: GgufValue): Buffer[] => {
  const { type, value } = entry
  if (type === 'texts')
    return [int32(typeCodes.array), int32(typeCodes.text), int64(value.length), ...value.map(string)]
  if (type === 'ints') return [int32(typeCodes.array), int32(typeCodes.i32), int64(value.length), ...value.map(int32)]
  if (type === 'floats')
    return [int32(typeCodes.array), int32(typeCodes.f32), int64(value.length), float32s(Float32Array.from(value))]
  const code = int32(typeCodes[type])
  if (type === 'text') return [code, string(value)]
  if (type === 'bool') return [code, Buffer.of(value ? 1 : 0)]
  return [code, type === 'f32' ? float32s(Float32Array.of(value)) : int32(value)]
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const int64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
const string = (value: string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([int64(bytes.length), bytes])
}
const float32s = (values: Float32Array): Buffer => {
  const bytes = Buffer.alloc(values.length * Float32Array.BYTES_PER_ELEMENT)
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * Float32Array.BYTES_PER_ELEMENT)
  return bytes
}
const q8Blocks = (values: Float32Array): Buffer => {
  const bytes = Buffer.alloc((values.length / q8Block) * (q8Block + 2))
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  for (let block = 0; block * q8Block < values.length; block += 1) {
    const numbers = values.subarray(block * q8Block, (block + 1) * q8Block)
    const scale = Math.max(...numbers.map(Math.abs)) / 127
    const at = block * (q8Block + 2)
    view.setFloat16(at, scale, true)
    for (const [index, value] of numbers.entries())
      view.setInt8(at + 2 + index, scale === 0 ? 0 : Math.round(value / scale))
  }
  return bytes
}
const padded = (bytes: Buffer, offset: number): Buffer => {
  const missing = (alignment - ((offset + bytes.length) % alignment)) % alignment
  return Buffer.concat([bytes, Buffer.alloc(missing)])
}

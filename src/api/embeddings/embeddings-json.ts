import { endianness } from 'node:os'
import type { EmbeddingEncoding } from './request/read-embedding-request.ts'
import { shortenVector } from './shorten-vector.ts'

/** Nine digits are enough to restore every 32-bit float. */
const digits = 9
/** The longest number, such as -1.23456789e-10, and a comma. */
const maxFloatBytes = 16

/** `first`: which of the entries of the response the first one is. `length`: how many numbers a vector has. */
export type EntriesForm = {
  first: number
  length: number
  model: string
  dimensions: number | null
  encoding: EmbeddingEncoding
}

/** Entries of `data`, as JSON: of vectors, one behind the other. A comma is between each and the one before it. */
export const writeEntries = (vectors: Uint8Array, form: EntriesForm): Uint8Array => {
  const { first, length, model, dimensions, encoding } = form
  const numbers = new Float32Array(vectors.buffer, vectors.byteOffset, vectors.length / Float32Array.BYTES_PER_ELEMENT)
  const entries: string[] = []
  for (let at = 0; at < numbers.length; at += length) {
    const vector = shortenVector(numbers.subarray(at, at + length), dimensions, { id: model })
    entries.push(embeddingJson(first + entries.length, vector, encoding))
  }
  return Buffer.from(`${first === 0 ? '' : ','}${entries.join(',')}`)
}

const embeddingJson = (index: number, vector: Float32Array, encoding: EmbeddingEncoding): string =>
  `{"object":"embedding","index":${index},"embedding":${encoding === 'base64' ? base64(vector) : numbers(vector)}}`

/** The JSON before and after the entries. */
export const embeddingListEnds = (model: string, promptTokens: number): [start: string, end: string] => [
  '{"object":"list","data":[',
  `],"model":${JSON.stringify(model)},"usage":{"prompt_tokens":${promptTokens},"total_tokens":${promptTokens}}}`,
]

/** An upper bound for the length of the JSON. */
export const maxEmbeddingsBytes = (inputs: number, vectorLength: number, encoding: EmbeddingEncoding): number =>
  inputs * (100 + (encoding === 'base64' ? Math.ceil((4 * vectorLength) / 3) * 4 : maxFloatBytes * vectorLength))

const numbers = (vector: Float32Array): string => {
  const parts: string[] = []
  for (const value of vector) parts.push(value.toPrecision(digits))
  return `[${parts.join(',')}]`
}

/** Little-endian on every machine. */
const base64 = (vector: Float32Array): string => {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  const littleEndian = endianness() === 'LE' ? bytes : Buffer.from(bytes).swap32()
  return `"${littleEndian.toString('base64')}"`
}

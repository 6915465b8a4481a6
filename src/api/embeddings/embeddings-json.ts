import type { EmbeddingEncoding } from './request/read-embedding-request.ts'

/** Nine digits are enough to restore every 32-bit float. */
const digits = 9
/** The longest number, such as -1.23456789e-10, and a comma. */
const maxFloatBytes = 16

/** One entry of `data`, as JSON. */
export const embeddingJson = (index: number, vector: Float32Array, encoding: EmbeddingEncoding): string =>
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
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * Float32Array.BYTES_PER_ELEMENT)
  return `"${bytes.toString('base64')}"`
}

import { architectures, encoders } from './architectures.ts'
import { GgufRefused, quoted } from './gguf-refused.ts'
import type { GgufFile, GgufValue } from './read-gguf.ts'
import { fileTypes } from './tensor-types.ts'

type PoolingType = 'none' | 'mean' | 'cls' | 'last' | 'rank'

/** What a GGUF file says about its model. */
export type GgufDescription = {
  /** `chat`: generates text. `embedding`: turns text into vectors. `rerank`: scores documents by their relevance to a query. */
  kind: 'chat' | 'embedding' | 'rerank'
  architecture: string
  /** Null if the file does not say. */
  trainedContextTokens: number | null
  embeddingLength: number | null
  vocabularyTokens: number | null
  tokeniser: string | null
  hasChatTemplate: boolean
  /** How the vectors of an embedding model are combined, or that it reranks; null if the file does not say. */
  pooling: PoolingType | null
  parameters: number
  quantisation: string | null
  /** As the file calls it, such as `apache-2.0`; null if the file does not say. */
  licence: string | null
  /** Of all files. */
  sizeBytes: number
  /** What the size of the key-value cache depends on; null if the file does not say. */
  cacheShape: CacheShape | null
}

type CacheShape = { layers: number; keyValueHeads: number; keyLength: number; valueLength: number }

const maxLicenceLength = 100

const poolingTypes: readonly PoolingType[] = ['none', 'mean', 'cls', 'last', 'rank']

/** Describes a model from all its files, of which the first contains the metadata. */
export const describeGguf = (files: readonly GgufFile[]): GgufDescription => {
  const [first] = files
  if (first === undefined) throw new GgufRefused('is missing')
  const { metadata } = first
  const architecture = readArchitecture(metadata)
  checkParts(files)
  const own = (name: string): GgufValue | undefined => metadata.get(`${architecture}.${name}`)
  const poolingNumber = own('pooling_type')
  const pooling = typeof poolingNumber === 'number' ? (poolingTypes[poolingNumber] ?? null) : null
  const vocabulary = metadata.get('tokenizer.ggml.tokens')
  const parameters = sum(files.map(({ tensors }) => tensors.elements))
  if (parameters === 0) throw new GgufRefused('contains no weights')
  return {
    kind: readKind(architecture, pooling),
    architecture,
    trainedContextTokens: count(own('context_length')),
    embeddingLength: count(own('embedding_length')),
    vocabularyTokens: typeof vocabulary === 'object' && 'list' in vocabulary ? vocabulary.list : null,
    tokeniser: text(metadata.get('tokenizer.ggml.model')),
    hasChatTemplate: isText(metadata.get('tokenizer.chat_template')),
    pooling,
    parameters,
    quantisation: findQuantisation(files),
    licence: text(metadata.get('general.license'))?.slice(0, maxLicenceLength) ?? null,
    sizeBytes: sum(files.map(({ sizeBytes }) => sizeBytes)),
    cacheShape: readCacheShape(own),
  }
}

const readKind = (architecture: string, pooling: PoolingType | null): GgufDescription['kind'] => {
  if (pooling === 'rank') return 'rerank'
  return encoders.has(architecture) || (pooling ?? 'none') !== 'none' ? 'embedding' : 'chat'
}

const readArchitecture = (metadata: GgufFile['metadata']): string => {
  const type = text(metadata.get('general.type')) ?? 'model'
  const architecture = text(metadata.get('general.architecture'))
  if (type !== 'model') throw new GgufRefused(`contains no language model, but the type ${quoted(type)}`)
  if (architecture === null) throw new GgufRefused('does not say which architecture its model has')
  if (architecture === 'clip')
    throw new GgufRefused('is the image part of a model: choose the file of the language model')
  if (!architectures.has(architecture))
    throw new GgufRefused(`has the architecture ${quoted(architecture)}, which this version of Helix does not support`)
  return architecture
}

/** The parts of a split model are numbered, and the first one says how many tensors there are in all. */
const checkParts = (files: readonly GgufFile[]): void => {
  const parts = files[0]?.metadata.get('split.count') ?? 1
  if (typeof parts !== 'number' || !Number.isInteger(parts))
    throw new GgufRefused('is damaged: split.count is not a number')
  // The format allows 0 for a file that is not split.
  if (Math.max(1, parts) !== files.length)
    throw new GgufRefused(`is one of ${parts} parts of a model: keep all parts in one folder, under their names`)
  if (files.length === 1) return
  files.forEach(({ metadata }, index) => {
    if (metadata.get('split.no') !== index)
      throw new GgufRefused(`has a part ${index + 1} that belongs in another place`)
  })
  const [expected, found] = [
    files[0]?.metadata.get('split.tensors.count'),
    sum(files.map(({ tensors }) => tensors.count)),
  ]
  if (expected !== undefined && expected !== found)
    throw new GgufRefused(`has parts with ${found} tensors in all, but there must be ${Number(expected)}`)
}

/** A list, with a number for each layer, counts as if every layer had all heads: rather too much. */
const readCacheShape = (own: (name: string) => GgufValue | undefined): CacheShape | null => {
  const [layers, embeddingLength] = [count(own('block_count')), count(own('embedding_length'))]
  const heads = count(own('attention.head_count'))
  if (layers === null || embeddingLength === null || heads === null) return null
  const headLength = embeddingLength / heads
  return {
    layers,
    keyValueHeads: count(own('attention.head_count_kv')) ?? heads,
    keyLength: count(own('attention.key_length')) ?? headLength,
    valueLength: count(own('attention.value_length')) ?? headLength,
  }
}

const findQuantisation = (files: readonly GgufFile[]): string | null => {
  const fileType = files[0]?.metadata.get('general.file_type')
  // llama.cpp adds 1024 to a type that it inferred.
  const named = typeof fileType === 'number' ? fileTypes.get(fileType % 1024) : undefined
  const largest = [...files].sort((one, other) => other.tensors.elements - one.tensors.elements)[0]
  return named ?? largest?.tensors.mainType ?? null
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const isText = (value: GgufValue | undefined): boolean =>
  typeof value === 'string' ? value !== '' : typeof value === 'object' && 'longText' in value
const text = (value: GgufValue | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)
const count = (value: GgufValue | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null

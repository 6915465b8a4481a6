import { expect, test } from 'vitest'
import {
  bool,
  f32,
  type GgufContents,
  ggufBytes,
  ints,
  text,
  texts,
  u32,
} from '../../scripts/tiny-models/gguf-bytes.ts'
import { tinyModels } from '../../scripts/tiny-models/tiny-models.ts'
import { bytesSource } from '../../test/harness/bytes-source.ts'
import { chunkBytes } from './byte-reader.ts'
import { describeGguf } from './describe-gguf.ts'
import { GgufRefused } from './gguf-refused.ts'
import { readGgufSource } from './read-gguf.ts'

const describe = async (...parts: Buffer[]) =>
  describeGguf(await Promise.all(parts.map((bytes) => readGgufSource(bytesSource(bytes)))))
const refusal = async (...parts: Buffer[]): Promise<string> => {
  const error = await describe(...parts).catch((error: unknown) => error)
  if (!(error instanceof GgufRefused)) throw new Error(`expected a refusal, got ${JSON.stringify(error)}`)
  expect(error.message).toMatch(/^[^\n]{4,300}$/)
  return error.message
}
const chat = tinyModels['tiny-chat']()
const whole = ggufBytes(chat)
const chatWith = (metadata: GgufContents['metadata'], tensors = chat.tensors): Buffer =>
  ggufBytes({ metadata: { ...chat.metadata, ...metadata }, tensors })
/** The file with other bytes at the first place where `marker` ends. */
const changed = (after: string, change: (bytes: Buffer, at: number) => void): Buffer => {
  const bytes = Buffer.from(whole)
  change(bytes, bytes.indexOf(after) + Buffer.byteLength(after))
  return bytes
}

test('a chat model is described by its metadata', async () => {
  expect(await describe(whole)).toMatchObject({
    kind: 'chat',
    architecture: 'llama',
    trainedContextTokens: 2048,
    embeddingLength: 32,
    vocabularyTokens: 269,
    tokeniser: 'gpt2',
    hasChatTemplate: true,
    pooling: null,
    quantisation: 'F32',
    sizeBytes: whole.length,
  })
})

test('an embedding model is recognised, with its pooling', async () => {
  const bytes = ggufBytes(tinyModels['tiny-embedding']())
  expect(await describe(bytes)).toMatchObject({ kind: 'embedding', architecture: 'bert', pooling: 'mean' })
  expect(await describe(chatWith({ 'llama.pooling_type': u32(3) }))).toMatchObject({
    kind: 'embedding',
    pooling: 'last',
  })
})

test('a reranking model is recognised by its pooling', async () => {
  const bytes = ggufBytes(tinyModels['tiny-reranker']())
  expect(await describe(bytes)).toMatchObject({ kind: 'rerank', architecture: 'bert', pooling: 'rank' })
  expect(await describe(chatWith({ 'llama.pooling_type': u32(4) }))).toMatchObject({ kind: 'rerank' })
})

test('parameters are counted, and the quantisation is named', async () => {
  const elements = chat.tensors.reduce((sum, { values }) => sum + values.length, 0)
  expect((await describe(whole)).parameters).toBe(elements)
  expect((await describe(chatWith({ 'general.file_type': u32(15) }))).quantisation).toBe('Q4_K_M')
  expect((await describe(chatWith({ 'general.file_type': u32(1024 + 7) }))).quantisation).toBe('Q8_0')
})

test('long texts and lists that span several chunks are skipped', async () => {
  const template = text('x'.repeat(3 * chunkBytes))
  const tokens = texts(Array.from({ length: 50_000 }, (_, index) => `token ${index}`))
  const bytes = chatWith({ 'tokenizer.chat_template': template, 'tokenizer.ggml.tokens': tokens, flag: bool(true) })
  expect(await describe(bytes)).toMatchObject({ hasChatTemplate: true, vocabularyTokens: 50_000 })
})

test('a split model is described as one, from all its parts', async () => {
  const half = Math.ceil(chat.tensors.length / 2)
  const split = (no: number) => ({
    'split.no': u32(no),
    'split.count': u32(2),
    'split.tensors.count': u32(chat.tensors.length),
  })
  const first = chatWith(split(0), chat.tensors.slice(0, half))
  const second = ggufBytes({ metadata: split(1), tensors: chat.tensors.slice(half) })
  const { parameters, sizeBytes } = await describe(first, second)
  expect(parameters).toBe((await describe(whole)).parameters)
  expect(sizeBytes).toBe(first.length + second.length)
  expect(await refusal(first)).toMatch(/one of 2 parts/)
  expect(await refusal(first, first)).toMatch(/part 2/)
  expect(await refusal(first, ggufBytes({ metadata: split(1), tensors: [] }))).toMatch(/tensors in all/)
})

test.each<[string, () => Buffer, RegExp]>([
  ['an empty file', () => Buffer.alloc(0), /^is empty/],
  ['a text', () => Buffer.from('Hello, world! This is a text.'), /not a GGUF file/],
  ['three bytes', () => Buffer.from('GGU'), /not a GGUF file/],
  ['the magic number alone', () => Buffer.from('GGUF'), /truncated/],
  ['a header cut short', () => whole.subarray(0, 20), /truncated/],
  ['metadata cut short', () => whole.subarray(0, 300), /truncated/],
  [
    'weights cut short',
    () => whole.subarray(0, whole.length - 1),
    /truncated: it has \d+ bytes, but its tensors need \d+/,
  ],
  ['version 1', () => changed('GGUF', (bytes, at) => bytes.writeUInt32LE(1, at)), /version 1/],
  ['version 9', () => changed('GGUF', (bytes, at) => bytes.writeUInt32LE(9, at)), /version 9/],
  ['a big-endian file', () => changed('GGUF', (bytes, at) => bytes.writeUInt32BE(3, at)), /big-endian/],
  [
    '2^60 tensors',
    () => changed('GGUF', (bytes, at) => bytes.writeBigUInt64LE(2n ** 60n, at + 4)),
    /impossible length/,
  ],
  [
    'a billion tensors',
    () => changed('GGUF', (bytes, at) => bytes.writeBigUInt64LE(10n ** 9n, at + 4)),
    /1000000000 tensors/,
  ],
  [
    'a billion keys',
    () => changed('GGUF', (bytes, at) => bytes.writeBigUInt64LE(10n ** 9n, at + 12)),
    /1000000000 metadata keys/,
  ],
  ['an unknown type', () => changed('general.name', (bytes, at) => bytes.writeUInt32LE(77, at)), /unknown type 77/],
  [
    'a list of lists',
    () => changed('tokenizer.ggml.tokens', (bytes, at) => bytes.writeUInt32LE(9, at + 4)),
    /unknown type 9/,
  ],
  [
    'a list longer than the file',
    () => changed('tokenizer.ggml.token_type', (bytes, at) => bytes.writeUInt32LE(2 ** 25, at + 8)),
    /truncated/,
  ],
  [
    'a list of 2^32 items',
    () => changed('tokenizer.ggml.tokens', (bytes, at) => bytes.writeUInt32LE(1, at + 12)),
    /claims to have \d+ items/,
  ],
  [
    'a text longer than the file',
    () => changed('general.name', (bytes, at) => bytes.writeUInt32LE(2 ** 31, at + 4)),
    /truncated/,
  ],
  [
    'a tensor with five dimensions',
    () => changed('output.weight', (bytes, at) => bytes.writeUInt32LE(5, at)),
    /5 dimensions/,
  ],
  [
    'a tensor of an unknown type',
    () => changed('output.weight', (bytes, at) => bytes.writeUInt32LE(99, at + 20)),
    /type 99/,
  ],
  [
    'a row that is no multiple of its block',
    () => changed('output_norm.weight', (bytes, at) => bytes.writeUInt32LE(12, at + 12)),
    /impossible/,
  ],
  [
    'a tensor in another place',
    () => changed('output.weight', (bytes, at) => bytes.writeUInt32LE(64, at + 24)),
    /not in its place/,
  ],
  [
    'a tensor of more bytes than any disk',
    () => changed('output.weight', (bytes, at) => bytes.writeUInt16LE(0xffff, at + 8)),
    /truncated|larger|impossible/,
  ],
  ['tensors of the same name', () => chatWith({}, [...chat.tensors, ...chat.tensors.slice(0, 1)]), /appears twice/],
  ['an alignment that is none', () => chatWith({ 'general.alignment': u32(48) }), /alignment/],
  ['no tensors', () => chatWith({}, []), /no weights/],
  ['no architecture', () => chatWith({ 'general.architecture': ints([1]) }), /does not say which architecture/],
  [
    'an unknown architecture',
    () => ggufBytes(tinyModels['tiny-unknown-architecture']()),
    /"unheard-of", which this version/,
  ],
  [
    'an architecture with control characters',
    () => chatWith({ 'general.architecture': text('\u001b[2J\n\u202e') }),
    /"\?\[2J\?\?"/,
  ],
  ['an adapter', () => chatWith({ 'general.type': text('adapter') }), /"adapter"/],
  ['the image part of a model', () => chatWith({ 'general.architecture': text('clip') }), /image part/],
  [
    'a split count that is no number',
    () => chatWith({ 'split.count': f32(0.5), 'general.x': bool(false) }),
    /split\.count/,
  ],
])('%s is refused in one line', async (_, bytes, message) => {
  expect(await refusal(bytes())).toMatch(message)
})

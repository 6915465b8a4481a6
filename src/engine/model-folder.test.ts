import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ggufBytes, u32 } from '../../scripts/tiny-models/gguf-bytes.ts'
import { tinyModels, writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { identifyWeights } from './identify-weights.ts'
import { inspectWeights } from './inspect-weights.ts'
import { readModel } from './model-folder.ts'
import { ModelRefused } from './model-refused.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-model-'))
})
afterEach(() => rm(folder, { recursive: true }))

const sha256 = 'ab'.repeat(32)
const chat = tinyModels['tiny-chat']()
const part = (index: number): Buffer => {
  const half = Math.ceil(chat.tensors.length / 2)
  const split = { 'split.no': u32(index), 'split.count': u32(2), 'split.tensors.count': u32(chat.tensors.length) }
  return ggufBytes({
    metadata: { ...chat.metadata, ...split },
    tensors: chat.tensors.slice(index * half, index * half + half),
  })
}
const [one, two] = [part(0), part(1)]
const manifest = {
  name: 'tiny',
  created: 1_700_000_000,
  ownedBy: 'someone',
  contextTokens: 2048,
  licence: 'MIT',
  weights: 'one.gguf',
  files: [
    { name: 'one.gguf', sha256, bytes: one.length },
    { name: 'two.gguf', sha256, bytes: two.length },
  ],
}
const write = (name: string, content: unknown) =>
  writeFile(
    join(folder, name),
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  )
const writeWhole = async (change: Record<string, unknown> = {}) => {
  await write('model.json', { ...manifest, ...change })
  await write('one.gguf', one)
  await write('two.gguf', two)
}
const refusal = async (path = folder): Promise<string> => {
  const error = await readModel(path).catch((error: unknown) => error)
  if (!(error instanceof ModelRefused)) throw new Error(`expected a refusal, got ${String(error)}`)
  expect(error.message).not.toContain('\n')
  return error.message
}

test('a folder is served under the name, date, owner and context of its manifest', async () => {
  await writeWhole()
  const model = await readModel(folder)
  expect(model.served).toEqual({
    id: 'tiny',
    created: 1_700_000_000,
    ownedBy: 'someone',
    weightsId: await identifyWeights(model.files),
    contextTokens: 2048,
    sampling: { temperature: 1, topP: 1 },
    vocabularyTokens: null,
    features: null,
  })
  expect(model.defaults).toEqual({ temperature: 1, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null })
  expect(model.weightsPath).toBe(join(folder, 'one.gguf'))
  expect(model.files).toContainEqual({ path: join(folder, 'two.gguf'), bytes: two.length, sha256 })
})

test('name and context can be set by the operator', async () => {
  await writeWhole()
  const { served } = await readModel(folder, { name: 'other', contextTokens: 512 })
  expect(served).toMatchObject({ id: 'other', contextTokens: 512 })
})

test('sampling defaults and end tokens come from generation_config.json', async () => {
  await writeWhole()
  await write('generation_config.json', {
    temperature: 0.6,
    top_p: 0.95,
    top_k: 20,
    min_p: 0.05,
    repetition_penalty: 1.1,
    eos_token: '<end>',
    eos_token_id: [1, 2],
    max_new_tokens: 5,
  })
  const { defaults, endTokens } = await readModel(folder)
  expect(defaults).toEqual({ temperature: 0.6, topP: 0.95, topK: 20, minP: 0.05, repetitionPenalty: 1.1, maxTokens: 5 })
  expect(endTokens).toEqual({ texts: ['<end>'], ids: [1, 2] })
})

test.each([
  ['temperature', 'hot'],
  ['temperature', -1],
  ['top_p', 1.5],
  ['top_k', 2.5],
  ['repetition_penalty', 0],
  ['eos_token', 7],
  ['eos_token_id', 'x'],
])('a generation_config.json whose %s is %j is refused by name', async (field, value) => {
  await writeWhole()
  await write('generation_config.json', { [field]: value })
  expect(await refusal()).toMatch(new RegExp(`generation_config\\.json: ${field}`))
})

test('a missing file is named', async () => {
  await writeWhole()
  await rm(join(folder, 'two.gguf'))
  expect(await refusal()).toMatch(/two\.gguf is missing: restore/)
})

test('a file of another size is named with both sizes', async () => {
  await writeWhole()
  await write('two.gguf', '12')
  expect(await refusal()).toMatch(new RegExp(`two\\.gguf has 2 bytes, but model\\.json says ${two.length}`))
})

test('a folder without a manifest, and a path where nothing is, are refused', async () => {
  expect(await refusal()).toMatch(/model\.json is missing/)
  expect(await refusal(join(folder, 'nothing'))).toMatch(/nothing is missing/)
})

test.each([
  ['{', /not valid JSON/],
  ['[]', /JSON object/],
  [{ ...manifest, name: '' }, /name must be a string/],
  [{ ...manifest, created: '2020' }, /created must be/],
  [{ ...manifest, contextTokens: 0 }, /contextTokens must be/],
  [{ ...manifest, files: [] }, /files is empty/],
  [{ ...manifest, weights: 'three.gguf' }, /weights must be one of files/],
  [{ ...manifest, files: [{ name: '../one.gguf', sha256, bytes: 3 }] }, /must be in the model folder/],
  [{ ...manifest, files: [{ name: 'one.gguf', sha256: 'short', bytes: 3 }] }, /sha256 of "one\.gguf"/],
])('the manifest %j is refused', async (content, message) => {
  await writeWhole()
  await write('model.json', content)
  expect(await refusal()).toMatch(message)
})

test('a single GGUF file is served under its own name and date, with at most 8192 tokens of its context', async () => {
  const path = join(folder, 'My-Model.Q4_K_M.gguf')
  await write('My-Model.Q4_K_M.gguf', ggufBytes(chat))
  await utimes(path, 1_600_000_000, 1_600_000_000)
  const model = await readModel(path)
  expect(model.served).toMatchObject({ id: 'My-Model.Q4_K_M', created: 1_600_000_000, ownedBy: 'local' })
  expect(model.served.contextTokens).toBe(2048)
  expect(model.files).toEqual([{ path, bytes: null, sha256: null }])
  await write('long.gguf', ggufBytes({ ...chat, metadata: { ...chat.metadata, 'llama.context_length': u32(131_072) } }))
  expect((await readModel(join(folder, 'long.gguf'))).served.contextTokens).toBe(8192)
})

test('a split GGUF is named without its part number and needs all its parts', async () => {
  const first = join(folder, 'big-00001-of-00002.gguf')
  await write('big-00001-of-00002.gguf', one)
  expect(await refusal(first)).toMatch(/big-00002-of-00002\.gguf is missing/)
  await write('big-00002-of-00002.gguf', two)
  const model = await readModel(first)
  expect(model.served.id).toBe('big')
  expect(model.files.map(({ path }) => path)).toEqual([first, join(folder, 'big-00002-of-00002.gguf')])
  expect(await refusal(join(folder, 'big-00002-of-00002.gguf'))).toMatch(/not the first part/)
  await write('big-00002-of-00002.gguf', one)
  expect(await refusal(first)).toMatch(/part 2/)
})

test('an embedding model needs no chat template', async () => {
  const { description } = await readModel(writeTinyModel(folder, 'tiny-embedding'))
  expect(description).toMatchObject({ kind: 'embedding', hasChatTemplate: false })
})

test.each([
  ['tiny-no-template', /does not contain a chat template: choose a chat model/],
  ['tiny-unknown-architecture', /has the architecture "unheard-of", which this version of Helix does not support/],
] as const)('%s is refused before a process loads it', async (name, message) => {
  expect(await refusal(writeTinyModel(folder, name))).toMatch(message)
})

test.each([
  ['truncated', ggufBytes(chat).subarray(0, 100_000), /is truncated/],
  ['empty', Buffer.alloc(0), /is empty/],
  ['another format', Buffer.from('<html>Not found</html>'), /is not a GGUF file/],
])('a GGUF file that is %s is refused by its path', async (_, content, message) => {
  await write('some.gguf', content)
  const reason = await refusal(join(folder, 'some.gguf'))
  expect(reason).toMatch(message)
  expect(reason).toContain(join(folder, 'some.gguf'))
})

test('a file that is larger than the memory is refused with both sizes', async () => {
  const path = writeTinyModel(folder, 'tiny-chat')
  await expect(inspectWeights([path], 100_000)).rejects.toThrow(/0\.0 GB of weights, more than the 0\.0 GB of memory/)
})

test('a folder in place of the file is refused', async () => {
  await mkdir(join(folder, 'big-00002-of-00002.gguf'))
  await write('big-00001-of-00002.gguf', one)
  expect(await refusal(join(folder, 'big-00001-of-00002.gguf'))).toMatch(/00002\.gguf is not a regular file/)
})

test('another kind of file is refused', async () => {
  await write('weights.bin', 'x')
  expect(await refusal(join(folder, 'weights.bin'))).toMatch(/not a model folder or a \.gguf file/)
})

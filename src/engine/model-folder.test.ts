import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readModel } from './model-folder.ts'
import { ModelRefused } from './model-refused.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helix-model-'))
})
afterEach(() => rm(folder, { recursive: true }))

const sha256 = 'ab'.repeat(32)
const manifest = {
  name: 'tiny',
  created: 1_700_000_000,
  ownedBy: 'someone',
  contextTokens: 2048,
  licence: 'MIT',
  weights: 'one.gguf',
  files: [
    { name: 'one.gguf', sha256, bytes: 3 },
    { name: 'two.gguf', sha256, bytes: 4 },
  ],
}
const write = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
const writeWhole = async (change: Record<string, unknown> = {}) => {
  await write('model.json', { ...manifest, ...change })
  await write('one.gguf', '123')
  await write('two.gguf', '1234')
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
    contextTokens: 2048,
    vocabularyTokens: null,
    features: null,
  })
  expect(model.defaults).toEqual({ temperature: 1, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null })
  expect(model.weightsPath).toBe(join(folder, 'one.gguf'))
  expect(model.files).toContainEqual({ path: join(folder, 'two.gguf'), bytes: 4, sha256 })
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
  expect(await refusal()).toMatch(/two\.gguf has 2 bytes, but model\.json says 4/)
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

test('a single GGUF file is served under its own name and date, unchecked', async () => {
  const path = join(folder, 'My-Model.Q4_K_M.gguf')
  await write('My-Model.Q4_K_M.gguf', 'x')
  await utimes(path, 1_600_000_000, 1_600_000_000)
  const model = await readModel(path)
  expect(model.served).toMatchObject({ id: 'My-Model.Q4_K_M', created: 1_600_000_000, ownedBy: 'local' })
  expect(model.files).toEqual([{ path, bytes: null, sha256: null }])
})

test('a split GGUF is named without its part number and needs all its parts', async () => {
  const first = join(folder, 'big-00001-of-00002.gguf')
  await write('big-00001-of-00002.gguf', 'x')
  expect(await refusal(first)).toMatch(/big-00002-of-00002\.gguf is missing/)
  await write('big-00002-of-00002.gguf', 'x')
  const model = await readModel(first)
  expect(model.served.id).toBe('big')
  expect(model.files.map(({ path }) => path)).toEqual([first, join(folder, 'big-00002-of-00002.gguf')])
  expect(await refusal(join(folder, 'big-00002-of-00002.gguf'))).toMatch(/not the first part/)
})

test('another kind of file is refused', async () => {
  await write('weights.bin', 'x')
  expect(await refusal(join(folder, 'weights.bin'))).toMatch(/not a model folder or a \.gguf file/)
})

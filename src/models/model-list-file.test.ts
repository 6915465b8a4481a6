import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import { changeModelList, type ListedModel, modelListPath, modelsFolder, readModelList } from './model-list-file.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = join(await tempDir(), 'data')
})

const model = (name: string, fields: Partial<ListedModel> = {}): ListedModel => ({
  ...{ name, path: `/models/${name}.gguf`, aliases: [], contextTokens: null, pulledFrom: null },
  ...fields,
})
const add = (added: ListedModel, directory = dataDir) =>
  changeModelList(directory, systemClock, (list) => ({ ...list, models: [...list.models, added] }))
const writeList = (content: unknown): void => {
  mkdirSync(modelsFolder(dataDir), { recursive: true })
  writeFileSync(modelListPath(dataDir), typeof content === 'string' ? content : JSON.stringify(content))
}

test('without a file there are no models, and the settings choose the default', async () => {
  expect(await readModelList(dataDir)).toEqual({ default: null, models: [] })
})

test('what was written is read, from a file that only its owner can read', async () => {
  await add(model('a', { aliases: ['first', '一番'], contextTokens: 4096 }))
  await changeModelList(dataDir, systemClock, (list) => ({ ...list, default: 'a' }))
  expect(await readModelList(dataDir)).toEqual({
    default: 'a',
    models: [model('a', { aliases: ['first', '一番'], contextTokens: 4096 })],
  })
  expect(statSync(modelListPath(dataDir)).mode & 0o777).toBe(0o600)
})

test('pulled files are still found after the data directory has moved', async () => {
  const pulledFrom = 'https://example.com/tiny.gguf'
  await add(model('tiny', { path: join(modelsFolder(dataDir), 'tiny/tiny.gguf'), pulledFrom }))
  const moved = `${dataDir}-moved`
  renameSync(dataDir, moved)
  const { models } = await readModelList(moved)
  expect(models).toEqual([model('tiny', { path: join(modelsFolder(moved), 'tiny/tiny.gguf'), pulledFrom })])
})

test('changes at the same time are all applied', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `model-${index}`)
  await Promise.all(names.map((name) => add(model(name))))
  const { models } = await readModelList(dataDir)
  expect(models.map(({ name }) => name).sort()).toEqual(names.sort())
})

test('a change that throws leaves the list as it was', async () => {
  await add(model('a'))
  const refused = changeModelList(dataDir, systemClock, () => {
    throw new OperatorError('no')
  })
  await expect(refused).rejects.toThrow('no')
  expect((await readModelList(dataDir)).models).toHaveLength(1)
  await add(model('b'))
  expect((await readModelList(dataDir)).models).toHaveLength(2)
})

test('fields of a newer version are kept', async () => {
  writeList({ colour: 'red', models: [{ name: 'a', path: '/a.gguf', size: 'large' }] })
  await add(model('b'))
  const written = JSON.parse(readFileSync(modelListPath(dataDir), 'utf8'))
  expect(written).toMatchObject({ colour: 'red', models: [{ name: 'a', size: 'large' }, { name: 'b' }] })
})

test.each([
  ['{', /not valid JSON/],
  ['[]', /JSON object/],
  [{ models: {} }, /models must be a list/],
  [{ models: [1] }, /models\[0\] must be an object/],
  [{ models: [{ path: '/a' }] }, /models\[0\]\.name/],
  [{ models: [{ name: 'a' }] }, /models\[0\]\.path/],
  [{ models: [{ name: 'a', path: '/a', aliases: 'b' }] }, /models\[0\]\.aliases/],
  [{ models: [{ name: 'a', path: '/a', contextTokens: -1 }] }, /models\[0\]\.contextTokens/],
  [{ models: [{ name: 'a', path: '/a', pulledFrom: 1 }] }, /models\[0\]\.pulledFrom/],
  [{ models: [model('a'), model('b', { aliases: ['a'] })] }, /"a" appears twice/],
  [{ default: 'b', models: [model('a')] }, /default must be/],
])('the file %j is refused in one line that names it', async (content, message) => {
  writeList(content)
  const error = await readModelList(dataDir).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(OperatorError)
  expect(String(error)).toMatch(message)
  expect(String(error)).toContain(modelListPath(dataDir))
  expect(String(error)).not.toContain('\n')
})

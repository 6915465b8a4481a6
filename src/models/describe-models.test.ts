import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTinyModel } from '../../scripts/tiny-models/tiny-models.ts'
import { scratchPath } from '../../test/harness/scratch-path.ts'
import type { Log } from '../base/log.ts'
import { describeModels } from './describe-models.ts'
import type { ModelEntry } from './model-entries.ts'

const folder = scratchPath()
const chat = writeTinyModel(folder, 'tiny-chat')
const embedding = writeTinyModel(folder, 'tiny-embedding')
const missing = join(folder, 'missing.gguf')

const entry = (name: string | null, path: string, aliases: string[] = []): ModelEntry => ({
  ...{ name, path, aliases, contextTokens: null, slots: 2, idleMinutes: 15, isDefault: false },
})
const describe = async (...entries: ModelEntry[]) => {
  const taken: unknown[] = []
  const log: Log = { info: () => {}, warn: (_, fields) => taken.push(fields?.name), error: () => {} }
  return { described: await describeModels(entries, log), taken }
}

test('models are described by their files, and named after them unless they have a name', async () => {
  const { described } = await describe(entry(null, chat), entry('e', embedding, ['v']))
  expect(described).toMatchObject([
    {
      id: 'tiny-chat',
      aliases: [],
      failure: null,
      files: { kind: 'chat', description: { cacheShape: { layers: 2 } } },
    },
    { id: 'e', aliases: ['v'], failure: null, files: { kind: 'embedding' } },
  ])
})

test('files that cannot be served do not keep the others from being described', async () => {
  const { described } = await describe(entry('a', missing), entry('b', chat))
  expect(described).toMatchObject([{ id: 'a', files: null, failure: expect.stringContaining(missing) }, { id: 'b' }])
})

test('a longer context than a model was trained for is refused, not lowered', async () => {
  const { described } = await describe({ ...entry('a', chat), contextTokens: 1_000_000 }, entry('b', chat))
  expect(described).toMatchObject([
    {
      id: 'a',
      files: null,
      failure: expect.stringMatching(/trained for a context of \d+ tokens: contextTokens can be at most/),
    },
    { id: 'b', failure: null },
  ])
})

test('a name belongs to the first model that has it, and an alias never hides a name', async () => {
  const { described, taken } = await describe(
    entry('a', chat, ['c', 'x']),
    entry('a', embedding),
    entry('c', chat, ['x']),
  )
  expect(described.map(({ id, aliases }) => [id, aliases])).toEqual([
    ['a', ['x']],
    ['c', []],
  ])
  expect(taken).toEqual(['a', 'c', 'x'])
})

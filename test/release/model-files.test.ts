import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { listModelFiles } from '../../scripts/release/stage-release.ts'
import { hashFiles } from '../../src/engine/verify-weights.ts'
import { repository } from '../harness/run-program.ts'

const folder = join(repository, 'models/helix-v1')
type Manifest = { files: { name: string; sha256: string; bytes: number }[] }
const { files }: Manifest = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8'))

test('the weights have the checksums of SHA256SUMS, and model.json lists the same', async () => {
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  expect(sums).toEqual(files.map(({ name, sha256 }) => `${sha256}  ${name}`))
  const hashes = await hashFiles(files.map(({ name }) => join(folder, name)))
  expect(hashes).toEqual(files.map(({ sha256 }) => ({ sha256 })))
})

test('a release has the weights that model.json lists and no others, with licences, notice, card and tokenizer', () => {
  const released = listModelFiles(repository)
    .filter((path) => path.startsWith('models/helix-v1/'))
    .map((path) => basename(path))
  expect(released.filter((name) => name.endsWith('.gguf'))).toEqual(files.map(({ name }) => name))
  const others = ['LICENSE', 'LICENSE-base-Apache-2.0.txt', 'MODEL_CARD.md', 'NOTICE', 'SHA256SUMS', 'checks.json']
  const settings = ['generation_config.json', 'model.json', 'tokenizer.json']
  expect(released.filter((name) => !name.endsWith('.gguf'))).toEqual([...others, ...settings])
})

import { expect, test } from 'vitest'
import { checkUpload } from './check-upload.ts'

const known = { data: [{ id: 'helix-v1', aliases: ['best'] }], diskBytes: 500 }
const gguf = (bytes: number) => new Blob([`GGUF${' '.repeat(bytes - 4)}`])

test.each([
  ['mine', gguf(400), null],
  ['mine', new Blob([]), 'notGguf'],
  ['mine', new Blob(['<html>']), 'notGguf'],
  ['mine', gguf(501), 'noDisk'],
  ['名前', gguf(400), null],
  ['my name', gguf(400), 'badName'],
  ['.hidden', gguf(400), 'badName'],
  ['Helix-V1', gguf(400), 'takenName'],
  ['best', gguf(400), 'takenName'],
] as const)('before an upload of %s: %o is %s', async (name, file, problem) => {
  expect(await checkUpload({ file, name }, known)).toBe(problem)
})

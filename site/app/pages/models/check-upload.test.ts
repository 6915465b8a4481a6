import { expect, test } from 'vitest'
import { checkUpload } from './check-upload.ts'

const known = { data: [{ id: 'helix-v1', aliases: ['best'] }], diskBytes: 500 }
const file = (content: string[], name = 'any.gguf') => new File(content, name)
const gguf = (bytes: number, name?: string) => file([`GGUF${' '.repeat(bytes - 4)}`], name)

test.each([
  ['mine', gguf(400), null],
  ['mine', file([]), 'notGguf'],
  ['mine', file(['<html>']), 'notGguf'],
  ['mine', gguf(501), 'noDisk'],
  ['mine', gguf(400, 'mine-00001-of-00003.gguf'), 'isPart'],
  ['名前', gguf(400), null],
  ['my name', gguf(400), 'badName'],
  ['.hidden', gguf(400), 'badName'],
  ['Helix-V1', gguf(400), 'takenName'],
  ['best', gguf(400), 'takenName'],
] as const)('before an upload of %s: %o is %s', async (name, file, problem) => {
  expect(await checkUpload({ file, name }, known)).toBe(problem)
})
